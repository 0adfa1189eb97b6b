//! Methods and attributes of lists, dictionaries and arrays.

use dashu_base::{BitTest, UnsignedAbs};
use dashu_int::IBig;

use super::super::fault::{Fault, NOT_IN_STRING, Outcome};
use super::super::ndarray::{Array, Kind, Reduction};
use super::super::state::State;
use super::super::value::{Part, Value};
use super::arguments::{Arguments, given};
use super::{lists, sequences, vectors};
use crate::evaluate::{choices, compare, containers, ndarray, tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{DatePart, Method, SetMethod, TableMethod};

pub(in super::super) fn method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    if let Value::Loc(_) = object {
        return tables::columns_method::table_method(state, method, object, arguments);
    }
    if matches!(object, Value::Frame(_) | Value::Series(_) | Value::Groups(_)) {
        return tables::columns_method::table_method(state, method.on_tables(), object, arguments);
    }
    if let Value::Array(handle) = object {
        let array = state.heap.array(*handle).clone();
        return array_method(state, method, object, &array, arguments);
    }
    if tables::axes::is_axis(state, object) && !matches!(method, Method::Index | Method::Count | Method::Items) {
        return tables::axes::axis_method(state, method, object, arguments);
    }
    match (method, object) {
        (Method::Table(TableMethod::TextAccessor), Value::List(_)) => {
            let column = tables::public::texts_as_column(state, object)?;
            tables::columns_method::table_method(state, method, &column, arguments)
        }
        (Method::Append, Value::List(handle)) => {
            let value = arguments.one("append")?.clone();
            state.budget.spend_elements(1)?;
            state.heap.sequences[*handle as usize].push(value);
            Ok(Value::None)
        }
        (Method::Extend, Value::List(handle)) => {
            let values = containers::elements(state, arguments.one("extend")?)?;
            state.budget.spend_elements(values.len() as u64)?;
            state.heap.sequences[*handle as usize].extend(values);
            Ok(Value::None)
        }
        (Method::Copy, Value::List(_)) => {
            arguments.none("copy")?;
            let values = containers::elements(state, object)?;
            state.list(values)
        }
        (Method::Copy, Value::Dict(handle)) => {
            arguments.none("copy")?;
            let entries = state.heap.dict(*handle).entries.clone();
            state.budget.spend_steps(entries.len() as u64)?;
            let copy = state.new_dict()?;
            if let Value::Dict(copy) = copy {
                for (key, value) in entries {
                    state.insert(copy, key, value)?;
                }
                choices::arrivals::copy_order(state, *handle, copy);
            }
            Ok(copy)
        }
        (Method::Index, Value::List(_) | Value::Tuple(_)) => {
            let wanted = arguments.one("index")?;
            for (index, element) in containers::elements(state, object)?.iter().enumerate() {
                if compare::equal(state, element, wanted, 0)? {
                    return Ok(Value::Int(index as i64));
                }
            }
            Err(lists::not_in_list(state, wanted))
        }
        (Method::Count, Value::List(_) | Value::Tuple(_)) => {
            let wanted = arguments.one("count")?;
            let mut count = 0;
            for element in containers::elements(state, object)? {
                count += i64::from(compare::equal(state, &element, wanted, 0)?);
            }
            Ok(Value::Int(count))
        }
        (Method::Index | Method::Count, Value::Text(handle))
            if arguments.values.len() > 1 && arguments.shape.keywords.is_empty() =>
        {
            let between = tables::texts::part_between(state, *handle, &arguments.values[1..])?;
            let nothing = || Fault::new(Code::BadArgument, format!("the string {NOT_IN_STRING}"));
            let Some((part, before)) = between else {
                return if method == Method::Count { Ok(Value::Int(0)) } else { Err(nothing()) };
            };
            let part = state.text(part)?;
            let shape = super::super::callbacks::positional(1);
            let first = Arguments { shape: &shape, values: &arguments.values[..1] };
            let found = self::method(state, method, &part, &first)?;
            Ok(match (method, found) {
                (Method::Index, Value::Int(place)) => Value::Int(place + before),
                (_, found) => found,
            })
        }
        (Method::Index, Value::Text(handle)) => {
            let Value::Text(part) = arguments.one("index")? else {
                return Err(Fault::new(Code::TypeMismatch, "`in <string>` requires a string on the left"));
            };
            let (text, part) = (state.heap.text(*handle), state.heap.text(*part));
            match text.find(part) {
                Some(at) => Ok(Value::Int(text[..at].chars().count() as i64)),
                None => Err(Fault::new(Code::BadArgument, format!("`{part}` {NOT_IN_STRING}"))),
            }
        }
        (Method::BitLength | Method::BitCount, Value::Int(_) | Value::Bool(_) | Value::BigInt(_)) => {
            arguments.none(method.name())?;
            let integer = state.number(object).and_then(|number| number.integer()).unwrap_or(IBig::ZERO);
            let bits = integer.unsigned_abs();
            let count = if method == Method::BitLength { bits.bit_len() } else { bits.count_ones() };
            Ok(Value::Int(count as i64))
        }
        (Method::Count, Value::Text(handle)) => {
            let wanted = arguments.one("count")?;
            let Value::Text(part) = wanted else {
                return Err(Fault::new(Code::TypeMismatch, "`in <string>` requires a string on the left"));
            };
            state.budget.spend_bytes_of_text(state.heap.text(*handle).len())?;
            let (text, part) = (state.heap.text(*handle), state.heap.text(*part));
            let count = if part.is_empty() { text.chars().count() + 1 } else { text.matches(part).count() };
            Ok(Value::Int(count as i64))
        }
        (Method::Pop | Method::Insert | Method::Remove | Method::Reverse | Method::Clear, Value::List(handle)) => {
            lists::list_method(state, method, *handle, arguments)
        }
        (Method::Pop | Method::Clear, Value::Dict(handle)) => lists::dict_method(state, method, *handle, arguments),
        (Method::Pop | Method::Remove | Method::Clear | Method::OfSet(_), Value::Set(handle)) => {
            lists::set_method(state, method, *handle, arguments)
        }
        (Method::Copy, Value::Set(handle)) => {
            arguments.none("copy")?;
            choices::sets::copied_set(state, *handle)
        }
        (Method::Update, Value::Set(handle)) => {
            let other = choices::sets::set_of_argument(state, arguments.one("update")?)?;
            let joined = choices::sets::joined_sets(state, SetMethod::Union, *handle, other)?;
            choices::sets::replace_set(state, *handle, &joined)
        }
        (Method::MostCommon, Value::Dict(handle)) => lists::most_common(state, *handle, arguments),
        (Method::Items, Value::Dict(handle)) => arguments.none("items").map(|()| Value::View(*handle, Part::Items)),
        (Method::Keys, Value::Dict(handle)) => arguments.none("keys").map(|()| Value::View(*handle, Part::Keys)),
        (Method::Values, Value::Dict(handle)) => arguments.none("values").map(|()| Value::View(*handle, Part::Values)),
        (Method::Get, Value::Dict(handle)) => {
            let [key, default] = arguments.bind("get", ["key", "default"], 1, 2)?;
            let key = state.key(given(key)?.value)?;
            let dict = state.heap.dict(*handle);
            Ok(match dict.positions.get(&key) {
                Some(position) => dict.entries[*position].1.clone(),
                None => default.map_or(Value::None, |default| default.value.clone()),
            })
        }
        (Method::SetDefault, Value::Dict(handle)) => {
            let [key, default] = arguments.bind("setdefault", ["key", "default"], 1, 2)?;
            let key = given(key)?.value;
            let hashed = state.key(key)?;
            if let Some(position) = state.heap.dict(*handle).positions.get(&hashed) {
                return Ok(state.heap.dict(*handle).entries[*position].1.clone());
            }
            let value = default.map_or(Value::None, |default| default.value.clone());
            state.insert(*handle, key.clone(), value.clone())?;
            Ok(value)
        }
        (Method::Update, Value::Dict(handle)) => {
            let other = arguments.one("update")?;
            let Value::Dict(other) = other else {
                return Err(Fault::new(Code::TypeMismatch, format!("a dictionary is updated by {}", other.kind())));
            };
            choices::arrivals::require_order(state, *other)?;
            for (key, value) in state.heap.dict(*other).entries.clone() {
                state.budget.spend_steps(1)?;
                state.insert(*handle, key, value)?;
            }
            Ok(Value::None)
        }
        (Method::Sort, Value::List(handle)) => {
            let [reverse] = arguments.bind("sort", ["reverse"], 0, 0)?;
            let sorted = match reverse {
                Some(reverse) => {
                    let mut shape = super::super::callbacks::positional(1);
                    shape.keywords.push("reverse".to_owned());
                    let values = [object.clone(), reverse.value.clone()];
                    sequences::sorted(state, &Arguments { shape: &shape, values: &values })?
                }
                None => {
                    let shape = super::super::callbacks::positional(1);
                    sequences::sorted(state, &Arguments { shape: &shape, values: std::slice::from_ref(object) })?
                }
            };
            if let Value::List(sorted) = sorted {
                state.heap.sequences[*handle as usize] = state.heap.sequence(sorted).to_vec();
            }
            Ok(Value::None)
        }
        // A single date of a column is a text.
        (Method::Table(TableMethod::DatePart(part)), Value::Text(handle))
            if let Some(number) = tables::dates::part_of_instant(state.heap.text(*handle), part) =>
        {
            Ok(Value::Int(number))
        }
        (Method::Table(TableMethod::DateText { is_period: false }), Value::Text(handle))
            if tables::dates::part_of_instant(state.heap.text(*handle), DatePart::Year).is_some() =>
        {
            let format = text::show(state, arguments.one("strftime")?);
            match tables::dates::shown_date(state.heap.text(*handle), &format) {
                Some(shown) => state.text(shown),
                None => Err(Fault::new(Code::BadArgument, format!("the format `{format}` is not supported"))),
            }
        }
        (Method::Text(method), Value::Text(handle)) => {
            tables::texts::single_text_method(state, method, *handle, arguments)
        }
        _ => Err(no_such_method(method, object)),
    }
}

fn array_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    array: &Array,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let reduction = match method {
        Method::Sum => Some(Reduction::Sum),
        Method::Mean => Some(Reduction::Mean),
        Method::Min => Some(Reduction::Min),
        Method::Max => Some(Reduction::Max),
        Method::Product => Some(Reduction::Product),
        Method::Any => Some(Reduction::Any),
        Method::All => Some(Reduction::All),
        _ => None,
    };
    if let Some(reduction) = reduction {
        let [axis, keep] = arguments.bind(method.name(), ["axis", "keepdims"], 0, 1)?;
        return vectors::reduced(state, reduction, object, axis, keep);
    }
    match method {
        Method::CumulativeSum => {
            let [axis] = arguments.bind("cumsum", ["axis"], 0, 1)?;
            ndarray::reduce::cumulative(state, object, axis.map(|axis| axis.value))
        }
        Method::Copy => {
            arguments.none("copy")?;
            let copy = ndarray::create::copied_array(state, object, None)?;
            ndarray::create::view(state, copy)
        }
        Method::AsType => {
            let [kind] = arguments.bind("astype", ["dtype"], 1, 1)?;
            let kind = vectors::dtype(state, kind)?.unwrap_or(Kind::Float);
            let copy = ndarray::create::copied_array(state, object, Some(kind))?;
            ndarray::create::view(state, copy)
        }
        Method::Dot => {
            let other = arguments.one("dot")?;
            ndarray::product::dot(state, object, other)
        }
        Method::ToList => {
            arguments.none("tolist")?;
            ndarray::shape::array_to_list(state, array)
        }
        Method::Reshape if arguments.shape.keywords.is_empty() => {
            ndarray::shape::reshape(state, array, arguments.values)
        }
        Method::Ravel => {
            arguments.none("ravel")?;
            let flat = ndarray::shape::flat_array(state, array)?;
            ndarray::create::view(state, flat)
        }
        Method::Flatten => {
            arguments.none("flatten")?;
            let copy = ndarray::create::copied_array(state, object, None)?;
            let flat = ndarray::shape::flat_array(state, &copy)?;
            ndarray::create::view(state, flat)
        }
        Method::Transposed => {
            arguments.none("transpose")?;
            ndarray::product::transposed(state, array)
        }
        Method::Size => Ok(Value::Int(array.size() as i64)),
        Method::Dimensions => Ok(Value::Int(array.shape.len() as i64)),
        Method::Shape => {
            let lengths = array.shape.iter().map(|length| Value::Int(*length as i64)).collect();
            state.tuple(lengths)
        }
        Method::Sum
        | Method::Mean
        | Method::Min
        | Method::Max
        | Method::Product
        | Method::Any
        | Method::All
        | Method::Reshape
        | Method::Append
        | Method::Extend
        | Method::Index
        | Method::Count
        | Method::Items
        | Method::Keys
        | Method::Values
        | Method::Get
        | Method::SetDefault
        | Method::Update
        | Method::Sort
        | Method::Pop
        | Method::Insert
        | Method::Remove
        | Method::Reverse
        | Method::Clear
        | Method::MostCommon
        | Method::BitLength
        | Method::BitCount
        | Method::ArgExtreme { .. }
        | Method::OfSet(_)
        | Method::Text(_)
        | Method::Table(_) => Err(no_such_method(method, object)),
        Method::Squeeze => {
            arguments.none("squeeze")?;
            ndarray::assembly::squeezed_array(state, array)
        }
        Method::Repeat => {
            let [times, axis] = arguments.bind("repeat", ["repeats", "axis"], 1, 2)?;
            ndarray::assembly::repeated_array(state, array, given(times)?.value, axis.map(|axis| axis.value))
        }
    }
}

fn no_such_method<S: Scalar>(method: Method, object: &Value<S>) -> Box<Fault> {
    let name = method.name();
    let hint = match object {
        Value::List(_) | Value::Tuple(_) if matches!(method, Method::Sum | Method::Mean | Method::Dot) => {
            "make it an array with `np.array(...)`, or use `sum(...)`"
        }
        Value::Random { .. } => "a random variable is one number; methods are for lists of them",
        _ => "the language page lists the supported methods",
    };
    Fault::hinted(Code::Attribute, format!("{} has no `.{name}`", object.kind()), hint)
}
