//! The many ways to write the same affine expression in the language.

/// `weight·variable`, written as a product or as a quotient.
#[derive(Debug, Clone)]
pub struct Term {
    pub weight: String,
    pub variable: String,
    /// Written as `variable / divisor` where a single product is.
    pub divisor: Option<String>,
    pub weight_last: bool,
}

impl Term {
    fn text(&self) -> String {
        let Term { weight, variable, divisor, weight_last } = self;
        match divisor {
            Some(divisor) => format!("{variable} / {divisor}"),
            None if weight == "1" => variable.clone(),
            None if *weight_last => format!("{variable} * {weight}"),
            None => format!("{weight} * {variable}"),
        }
    }
}

/// How many ways [`assign`] knows.
pub const STYLES: usize = 22;

/// `constant + Σ terms` on one line.
pub fn inline(terms: &[Term], constant: &str) -> String {
    let mut text: Vec<String> = terms.iter().map(Term::text).collect();
    if constant != "0" || text.is_empty() {
        text.push(constant.to_owned());
    }
    text.join(" + ")
}

/// `target = constant + Σ terms`, in one of many ways, as lines without indentation.
pub fn assign(style: usize, target: &str, terms: &[Term], constant: &str) -> Vec<String> {
    let products: Vec<String> = terms.iter().map(Term::text).collect();
    let weights = terms.iter().map(|term| term.weight.as_str()).collect::<Vec<_>>().join(", ");
    let variables = terms.iter().map(|term| term.variable.as_str()).collect::<Vec<_>>().join(", ");
    let all_products = products.join(", ");
    let text = match style {
        0 => format!("{target} = {}", inline(terms, constant)),
        1 => {
            let nested =
                products.iter().rev().fold(constant.to_owned(), |rest, product| format!("({product} + {rest})"));
            format!("{target} = {nested}")
        }
        2 => format!("{target} = sum([{all_products}]) + {constant}"),
        3 => format!("{target} = np.dot([{weights}], [{variables}]) + {constant}"),
        4 => format!("{target} = {constant} + np.array([{weights}]) @ np.array([{variables}])"),
        5 => format!(
            "t = {constant}\nfor weight, variable in zip([{weights}], [{variables}]):\n    t += weight * variable\n{target} = t"
        ),
        6 => format!(
            "weights = ({weights},)\nt = 0\nfor i, variable in enumerate([{variables}]):\n    t = t + variable * \
             weights[i]\n{target} = t + {constant}"
        ),
        7 => format!("{target} = weighted([{variables}], [{weights}], offset={constant})"),
        8 => format!("{target} = fold([{variables}], weights=[{weights}]) + {constant}"),
        9 => {
            let entries = terms.iter().enumerate();
            let entries: Vec<String> =
                entries.map(|(i, term)| format!("'k{i}': ({}, {})", term.weight, term.variable)).collect();
            format!(
                "table = {{{}}}\nt = {constant}\nfor key, (weight, variable) in table.items():\n    t = weight * variable \
                 + t\n{target} = t",
                entries.join(", ")
            )
        }
        10 => {
            let pairs: Vec<String> = terms.iter().map(|term| format!("({}, {})", term.weight, term.variable)).collect();
            format!("{target} = sum([weight * variable for weight, variable in [{}]], {constant})", pairs.join(", "))
        }
        11 => {
            let count = terms.len();
            let scaled: Vec<String> = products.iter().map(|product| format!("{count} * ({product})")).collect();
            format!("{target} = np.mean([{}]) + {constant}", scaled.join(", "))
        }
        12 => format!(
            "if len([{variables}]) == {}:\n    {target} = {}\nelse:\n    {target} = Normal(1, 1)",
            terms.len(),
            inline(terms, constant)
        ),
        13 => format!("{target} = ({}) if 2 ** 10 > 1_000 and not 1 > 2 else 0", inline(terms, constant)),
        14 => format!(
            "weights, variables = [{weights}], [{variables}]\n{target} = {constant}\nfor i in range(len(variables) + \
             3):\n    if i >= len(variables):\n        break\n    {target} = {target} + weights[i] * variables[i - \
             len(variables)]"
        ),
        15 => format!(
            "products = []\nfor product in ({all_products},):\n    products.append(product)\nproducts = products[:1] + \
             products[1:]\n{target}, other = pair(sum(products, {constant}), third=3)"
        ),
        16 => format!("{target} = (np.array([{weights}]) * np.array([{variables}])).sum() + {constant}"),
        17 => format!("{target} = np.cumsum([{all_products}])[-1] + {constant}"),
        18 => {
            let negated: Vec<String> = products.iter().map(|product| format!(" - (-({product}))")).collect();
            format!("{target} = {constant}{}", negated.concat())
        }
        19 => format!(
            "t = 0\nfor weight, variable in reversed(list(zip([{weights}], [{variables}]))):\n    if weight == 0:\n        \
             continue\n    t -= weight * variable\n{target} = {constant} - t"
        ),
        20 => format!("{target} = ({}) * 3 / 3", inline(terms, constant)),
        _ => format!("{target} = ({} - 7) + 7", inline(terms, constant)),
    };
    text.lines().map(str::to_owned).collect()
}

/// How many ways [`observe`] knows.
pub const SIGHTS: usize = 6;

/// An observation of an expression; `noise` is what follows the value, such as `, std=3`.
pub fn observe(style: usize, expression: &str, value: &str, noise: &str, number: usize) -> Vec<String> {
    let verb = if noise.is_empty() { "condition" } else { "observe" };
    let text = match style {
        0 => format!("{verb}({expression}, {value}{noise})"),
        1 => format!("seen_{number} = {expression}\n{verb}(\"seen_{number}\", {value}{noise})"),
        2 if noise.is_empty() => format!("see({expression}, {value})"),
        2 => format!("see_blurred({expression}, {value}, spread=dict({}))", noise.trim_start_matches(", ")),
        3 => format!(
            "for variable, seen in zip([{expression}], [{value}]):\n    for again in range(1):\n        {verb}(variable, \
             seen{noise})"
        ),
        4 => format!("{verb}([{expression}], [{value}]{noise})"),
        _ => format!(
            "for i in range(3):\n    if i % 2 == 1:\n        seen = {value}\n        {verb}({expression}, seen{noise})"
        ),
    };
    text.lines().map(str::to_owned).collect()
}

/// The functions that the lines above call.
const HELPERS: &[(&str, &str)] = &[
    ("np.", "import numpy as np\n"),
    (
        "weighted(",
        "
def weighted(values, weights, offset=0, scale=1):
    total = offset
    for value, weight in zip(values, weights):
        total += weight * scale * value
    return total
",
    ),
    (
        "fold(",
        "
def fold(values, weights, at=0):
    if at == len(values):
        return 0
    return weights[at] * values[at] + fold(values, weights, at + 1)
",
    ),
    (
        "pair(",
        "
def pair(first, second=1, third=0):
    return first, second + third
",
    ),
    (
        "see(",
        "
def see(variable, value):
    condition(variable, value)
    return variable
",
    ),
    (
        "see_blurred(",
        "
def see_blurred(variable, value, spread):
    for name in spread:
        if name == 'std':
            observe(variable, value, std=spread[name])
        else:
            observe(variable, value, variance=spread[name])
",
    ),
];

/// A whole program around the lines of its function.
pub fn program(lines: &[String]) -> String {
    let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    let used = HELPERS.iter().filter(|(mark, _)| body.contains(mark));
    let helpers: String = used.map(|(_, text)| *text).collect();
    format!("{helpers}\ndef main():\n{body}")
}
