//! Which choices belong together, because something depends on several of them.

use super::counts::single;
use crate::choices::Diagram;
use crate::evaluate::ChoiceModel;
use crate::number::Scalar;

/// Which choices belong together.
pub(super) struct Owners {
    parents: Vec<u32>,
    is_joined: Vec<bool>,
}

impl Owners {
    pub(super) fn new(count: usize) -> Self {
        Owners { parents: (0..count as u32).collect(), is_joined: vec![false; count] }
    }

    pub(super) fn root(&mut self, mut place: u32) -> u32 {
        while self.parents[place as usize] != place {
            let next = self.parents[self.parents[place as usize] as usize];
            self.parents[place as usize] = next;
            place = next;
        }
        place
    }

    pub(super) fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents[a as usize] = b;
            self.is_joined[b as usize] = true;
        }
    }

    pub(super) fn is_alone(&self, owner: u32) -> bool {
        !self.is_joined[owner as usize]
    }

    /// Joins the choices of a diagram; `None` if one of them is a sum or an order statistic, or there are none.
    pub(super) fn join<S: Scalar>(&mut self, model: &ChoiceModel<S>, diagram: Diagram) -> Option<u32> {
        if let Some(choice) = single(model, diagram) {
            return (!model.is_open_choice(choice)).then_some(choice);
        }
        let choices = model.diagrams.choices_of(&[diagram]);
        if choices.iter().any(|choice| model.is_open_choice(*choice)) {
            return None;
        }
        let first = *choices.first()?;
        choices.iter().for_each(|other| self.unite(first, *other));
        Some(first)
    }
}
