//! numpy's arrays: one type for any number of dimensions, whose slices, rows and transposes are views of the same
//! elements.

mod array;
pub(super) mod assembly;
mod contraction;
pub(super) mod create;
pub(super) mod elementwise;
pub(super) mod functions;
pub(super) mod kind;
pub(super) mod linear;
mod places;
pub(super) mod product;
pub(super) mod reduce;
pub(super) mod shape;
pub(super) mod subscript;
pub(super) mod weighted;

pub(super) use array::{Array, broadcast};
pub(super) use kind::{Kind, too_large};
pub(super) use reduce::Reduction;
