//! The texts beside a program on any bytes: one option in each line, the first letter says which.

use privug::analysis::{Binding, BindingKind, Observed, Request, Required, Truth};

const PROGRAM: &str = "
def release(ages, weights=[1, 2, 3], scale=1):
    total = sum(ages) * scale
    return {'mean': total / len(ages), 'parts': [ages[0] + ages[1], sum(weights)], 'last': ages[-1]}
";

/// Answers or refuses what the bytes say.
pub fn run(bytes: &[u8]) {
    let mut request = Request::new("program.py", PROGRAM);
    for line in String::from_utf8_lossy(bytes).lines() {
        let text = line.get(1..).unwrap_or_default().to_owned();
        match line.as_bytes().first() {
            Some(b'p') => request.bindings.extend(Binding::read(BindingKind::Prior, &text)),
            Some(b's') => request.bindings.extend(Binding::read(BindingKind::Set, &text)),
            Some(b'o') => request.observations.extend(Observed::read(&text)),
            Some(b'q') => request.queries.push(text),
            Some(b'r') => request.requirements.push(Required::Source(text)),
            Some(b't') => request.truths.push(Truth::read(&text)),
            Some(b'x') => request.exact = true,
            _ => request.secrets.push(text),
        }
    }
    if request.bindings.is_empty() {
        request.bindings.extend(Binding::read(BindingKind::Prior, "ages=[Normal(35, 4) for _ in range(3)]"));
    }
    super::analyse(&super::limited(request));
}
