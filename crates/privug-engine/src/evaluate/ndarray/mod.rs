//! numpy's arrays: one type for any number of dimensions, whose slices, rows and transposes are views of the same
//! elements.

mod array;
mod assembly;
mod create;
mod elementwise;
mod functions;
mod kind;
mod linear;
mod product;
mod reduce;
mod shape;
mod subscript;
mod weighted;

pub(super) use array::{Array, broadcast};
pub(super) use kind::{Kind, too_large};
pub(super) use reduce::Reduction;
