//! A program's result written out, with the types and shapes of arrays and the weights of random variables: what the tests
//! compare with CPython's.

use std::collections::BTreeMap;

use super::fault::Outcome;
use super::run::Inputs;
use super::running::Machine;
use super::state::State;
use super::text::python_float;
use super::value::Value;
use super::{containers, text};
use crate::network::{Affine, NodeId};
use crate::number::Constants;
use privug_language::diagnostic::Diagnostic;
use privug_language::program::Program;

/// Runs the analysed function, which has no parameters, and writes out what it returns.
pub fn represent(program: &Program, inputs: &Inputs) -> Result<String, Vec<Diagnostic>> {
    let mut machine = Machine::<f64>::new(program, inputs.limits.clone(), inputs.cancelled.clone(), false)
        .map_err(|diagnostic| vec![diagnostic])?;
    let returned = machine.run_module().and_then(|()| machine.call(program.entry, Vec::new()));
    match returned {
        Ok(returned) if machine.diagnostics.is_empty() => {
            let mut text = String::new();
            let span = machine.state.span;
            let written = write_out(&mut machine.state, &returned.value, 0, &mut text);
            written.map(|()| text).map_err(|fault| vec![fault.at(span)])
        }
        _ => Err(machine.diagnostics),
    }
}

fn write_out(state: &mut State<f64>, value: &Value<f64>, depth: usize, text: &mut String) -> Outcome<()> {
    let (elements, brackets) = match value {
        Value::List(_) => (containers::elements(state, value)?, ("[", "]")),
        Value::Tuple(_) => (containers::elements(state, value)?, ("(", ")")),
        Value::Array(handle) => {
            let array = state.heap.array(*handle).clone();
            let values = state.heap.array_values(&array).iter().map(Value::plain).collect();
            text.push_str(&format!("array {} {:?} ", array.kind.name(), array.shape));
            (values, ("[", "]"))
        }
        Value::Dict(handle) => {
            text.push_str("dict ");
            let entries = state.heap.dict(*handle).entries.clone();
            (entries.into_iter().flat_map(|(key, value)| [key, value]).collect(), ("{", "}"))
        }
        Value::Random { .. } => {
            if let Some(affine) = value.as_random() {
                text.push_str(&write_affine(state, &affine));
            }
            return Ok(());
        }
        other => return text::write_representation(state, other, depth, text),
    };
    text.push_str(brackets.0);
    for (index, element) in elements.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { "" });
        write_out(state, element, depth + 1, text)?;
    }
    text.push_str(brackets.1);
    Ok(())
}

/// `random offset {source: weight, …}`, the sources numbered in the order in which they were made.
fn write_affine(state: &State<f64>, affine: &Affine<f64>) -> String {
    let mut offset = affine.offset;
    let mut weights = BTreeMap::from([(affine.node.0, affine.scale)]);
    let mut found = BTreeMap::new();
    while let Some((id, weight)) = weights.pop_last() {
        let node = state.builder.network.node(NodeId(id));
        offset += weight * node.constant;
        if !node.noise_variance.is_zero() {
            found.insert(id, weight);
        }
        let weight = weight / node.divisor.copied().unwrap_or(1.0);
        for (parent, factor) in node.parents() {
            *weights.entry(parent.0).or_insert(0.0) += weight * factor;
        }
    }
    let sources: Vec<u32> = (0..state.builder.network.len() as u32)
        .filter(|id| !state.builder.network.node(NodeId(*id)).noise_variance.is_zero())
        .collect();
    let place = |id: &u32| sources.binary_search(id).unwrap_or(usize::MAX);
    let terms: Vec<String> = found
        .iter()
        .filter(|(_, weight)| **weight != 0.0)
        .map(|(id, weight)| format!("{}: {}", place(id), python_float(*weight)))
        .collect();
    format!("random {} {{{}}}", python_float(offset), terms.join(", "))
}
