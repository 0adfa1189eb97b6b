//! Iterators of the program's own classes: `for x in it` asks `__next__` in each round, until it raises `StopIteration`.
//!
//! A loop over what may be such an object is written out both ways, and the object decides when the program runs. Whoever takes
//! all elements at once, such as `list(it)`, is left to the machine. A comprehension takes them at once where what it computes
//! cannot tell the difference.

use std::collections::HashSet;

use ruff_python_ast::visitor::transformer::{Transformer, walk_expr, walk_stmt};
use ruff_python_ast::visitor::{Visitor, walk_expr as look_into, walk_stmt as look_into_statement};
use ruff_python_ast::{
    Comprehension, Expr, ExprContext, ExprIf, ModModule, Stmt, StmtBreak, StmtClassDef, StmtFor, StmtWhile,
};
use ruff_text_size::{Ranged, TextRange};

use super::names::{functions_in, mentioned_in};
use super::nodes::{assign, attempt, attribute, call, load, name, truth, tuple, when};
use crate::program::bindings::target_names;
use crate::program::modules::builtin_names;

/// Loops are written out inside each other no deeper than this: each doubles what is inside it.
const MAX_DEPTH: usize = 3;

/// Writes out the loops of a file that has such classes.
pub(super) fn write_out(module: &mut ModModule) {
    let classes: Vec<&StmtClassDef> = module
        .body
        .iter()
        .filter_map(|statement| if let Stmt::ClassDef(class) = statement { Some(class) } else { None })
        .collect();
    let has = |class: &StmtClassDef, name: &str| functions_in(&class.body).iter().any(|m| m.name.as_str() == name);
    let asked: Vec<String> =
        classes.iter().filter(|class| has(class, "__next__")).map(|class| class.name.to_string()).collect();
    if asked.is_empty() {
        return;
    }
    // Those whose `__iter__` gives an object of such a class, perhaps itself.
    let gives = |class: &&&StmtClassDef| {
        let Some(iter) = functions_in(&class.body).into_iter().find(|m| m.name.as_str() == "__iter__") else {
            return false;
        };
        let mut given = Given { asked: &asked, is_own: asked.contains(&class.name.to_string()), found: false };
        given.visit_body(&iter.body);
        given.found
    };
    let walked: Vec<String> = classes.iter().filter(gives).map(|class| class.name.to_string()).collect();
    let loops = Loops { walked: &walked, asked: &asked };
    module.body.iter_mut().for_each(|statement| loops.visit_stmt(statement));
}

/// Whether `__iter__` returns `self`, or an object of one of the classes.
struct Given<'n> {
    asked: &'n [String],
    is_own: bool,
    found: bool,
}

impl<'t> Visitor<'t> for Given<'_> {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        if let Stmt::Return(returned) = statement {
            self.found |= match returned.value.as_deref() {
                Some(Expr::Name(name)) => self.is_own && name.id.as_str() == "self",
                Some(Expr::Call(call)) => {
                    matches!(&*call.func, Expr::Name(name) if self.asked.iter().any(|class| class == name.id.as_str()))
                }
                _ => false,
            };
        }
        look_into_statement(self, statement);
    }
}

struct Loops<'n> {
    /// The classes whose objects are gone through by asking.
    walked: &'n [String],
    /// The classes that are asked.
    asked: &'n [String],
}

impl Loops<'_> {
    /// `isinstance(name, (A, B))`
    fn is_one(&self, of: Expr, classes: &[String], range: TextRange) -> Expr {
        let classes = classes.iter().map(|class| load(class, range)).collect();
        call(load("isinstance", range), vec![of, tuple(classes, range)], range)
    }

    fn written_out(&self, loop_: &StmtFor) -> Vec<Stmt> {
        let range = loop_.iter.range();
        let number = u32::from(loop_.range.start());
        let (source, over) = (format!("source at {number}"), format!("is over at {number}"));
        let set = |name_: &str, value: Expr| assign(name(name_, ExprContext::Store, range), value, range);
        let iterator = call(attribute(&source, "__iter__", ExprContext::Load, range), Vec::new(), range);
        let next = call(attribute(&source, "__next__", ExprContext::Load, range), Vec::new(), range);
        let item = format!("item at {number}");
        let fetched =
            attempt(vec![set(&item, next)], "StopIteration", vec![set(&over, truth(true, range))], Vec::new(), range);
        let leave = Stmt::Break(StmtBreak { node_index: Default::default(), range });
        let mut body = vec![fetched];
        body.push(when(load(&over, range), vec![leave], range));
        body.push(assign((*loop_.target).clone(), load(&item, range), range));
        body.extend(loop_.body.iter().cloned());
        let asking = Stmt::While(StmtWhile {
            node_index: Default::default(),
            range: loop_.range,
            test: Box::new(truth(true, range)),
            body: body.into(),
            orelse: Default::default(),
        });
        let mut asked = vec![set(&source, iterator), set(&over, truth(false, range)), asking];
        if !loop_.orelse.is_empty() {
            asked.push(when(load(&over, range), loop_.orelse.to_vec(), range));
        }
        let plain = StmtFor { iter: Box::new(load(&source, range)), ..loop_.clone() };
        let mut written = vec![set(&source, (*loop_.iter).clone())];
        let Stmt::If(mut branch) = when(self.is_one(load(&source, range), self.walked, range), asked, range) else {
            return written;
        };
        branch.elif_else_clauses.push(ruff_python_ast::ElifElseClause {
            node_index: Default::default(),
            range,
            test: None,
            body: vec![Stmt::For(plain)].into(),
        });
        written.push(Stmt::If(branch));
        written
    }
}

impl Transformer for Loops<'_> {
    fn visit_stmt(&self, statement: &mut Stmt) {
        let depth = if let Stmt::For(loop_) = &*statement { depth_of(&loop_.body) } else { 0 };
        walk_stmt(self, statement);
        if let Stmt::For(loop_) = statement
            && !loop_.is_async
            && !self.walked.is_empty()
            && depth < MAX_DEPTH
            && may_be_object(&loop_.iter)
        {
            let range = loop_.range;
            *statement = when(truth(true, range), self.written_out(loop_), range);
        }
    }

    fn visit_expr(&self, tree: &mut Expr) {
        walk_expr(self, tree);
        let range = tree.range();
        match tree {
            Expr::ListComp(comprehension) => {
                let parts = [&*comprehension.elt];
                self.taken_at_once(&mut comprehension.generators, &parts);
            }
            Expr::SetComp(comprehension) => {
                let parts = [&*comprehension.elt];
                self.taken_at_once(&mut comprehension.generators, &parts);
            }
            Expr::Call(asked) => {
                // `next(it)` of a variable.
                if let ([Expr::Name(it)], true, Expr::Name(function)) =
                    (&*asked.arguments.args, asked.arguments.keywords.is_empty(), &*asked.func)
                    && function.id.as_str() == "next"
                {
                    let of = it.id.to_string();
                    let next = call(attribute(&of, "__next__", ExprContext::Load, range), Vec::new(), range);
                    let test = self.is_one(load(&of, range), self.asked, range);
                    let plain = tree.clone();
                    *tree = either(test, next, plain, range);
                }
            }
            _ => {}
        }
    }
}

impl Loops<'_> {
    /// The first part of a comprehension goes through a list, if what it computes mentions nothing but its own variables.
    fn taken_at_once(&self, generators: &mut [Comprehension], computed: &[&Expr]) {
        let mut own: HashSet<String> = HashSet::new();
        let mut used: HashSet<String> = computed.iter().flat_map(|tree| mentioned_in(tree)).collect();
        for (place, part) in generators.iter().enumerate() {
            own.extend(target_names(&part.target));
            used.extend(part.ifs.iter().flat_map(mentioned_in));
            if place > 0 {
                used.extend(mentioned_in(&part.iter));
            }
        }
        let is_known = |name: &String| own.contains(name) || builtin_names().any(|known| known == name);
        let Some(first) = generators.first_mut().filter(|_| used.iter().all(is_known)) else { return };
        let range = first.iter.range();
        let listed = call(load("list", range), vec![first.iter.clone()], range);
        first.iter = match &first.iter {
            Expr::Name(_) => {
                either(self.is_one(first.iter.clone(), self.walked, range), listed, first.iter.clone(), range)
            }
            Expr::Call(made) if matches!(&*made.func, Expr::Name(class) if self.walked.iter().any(|known| known == class.id.as_str())) => {
                listed
            }
            other => other.clone(),
        };
    }
}

fn either(test: Expr, body: Expr, orelse: Expr, range: TextRange) -> Expr {
    let (test, body, orelse) = (Box::new(test), Box::new(body), Box::new(orelse));
    Expr::If(ExprIf { node_index: Default::default(), range, test, body, orelse })
}

/// Whether a loop may go through an object, as far as its text tells.
fn may_be_object(over: &Expr) -> bool {
    const PLAIN: [&str; 8] = ["range", "enumerate", "zip", "sorted", "reversed", "list", "tuple", "set"];
    match over {
        Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) | Expr::If(_) => true,
        Expr::Call(call) => match &*call.func {
            Expr::Name(name) => !PLAIN.contains(&name.id.as_str()),
            Expr::Attribute(method) => !["items", "keys", "values"].contains(&method.attr.as_str()),
            _ => true,
        },
        _ => false,
    }
}

/// How many loops are inside each other in a body.
fn depth_of(body: &[Stmt]) -> usize {
    struct Depth(usize, usize);
    impl<'t> Visitor<'t> for Depth {
        fn visit_stmt(&mut self, statement: &'t Stmt) {
            let is_loop = matches!(statement, Stmt::For(_));
            self.0 += usize::from(is_loop);
            self.1 = self.1.max(self.0);
            look_into_statement(self, statement);
            self.0 -= usize::from(is_loop);
        }

        fn visit_expr(&mut self, tree: &'t Expr) {
            look_into(self, tree);
        }
    }
    let mut depth = Depth(0, 0);
    depth.visit_body(body);
    depth.1
}
