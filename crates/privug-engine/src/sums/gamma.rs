//! The incomplete gamma function.

/// ln Γ(a)
pub(super) fn ln_gamma(a: f64) -> f64 {
    libm::lgamma(a)
}

/// P(a, x) = γ(a, x)/Γ(a) and Q = 1 − P: the smaller of the two accurately, by the series or the continued fraction (Lentz).
pub(super) fn regularized(a: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if x == f64::INFINITY {
        return (1.0, 0.0);
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut k) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-17 {
            k += 1.0;
            term *= x / k;
            sum += term;
        }
        let p = (front * sum).min(1.0);
        return (p, 1.0 - p);
    }
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for i in 1..10_000 {
        let i = f64::from(i);
        let an = -i * (i - a);
        b += 2.0;
        d = an * d + b;
        d = 1.0 / if d.abs() < TINY { TINY } else { d };
        c = b + an / c;
        c = if c.abs() < TINY { TINY } else { c };
        let change = d * c;
        fraction *= change;
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    let q = (front * fraction).min(1.0);
    (1.0 - q, q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_shapes_have_the_closed_form_of_the_poisson_distribution() {
        // Q(k, x) = e^(−x)·Σ_{j<k} xʲ/j!
        for shape in [1_u32, 2, 5, 30] {
            for x in [0.1, 1.0, 4.5, 29.0, 60.0] {
                let (mut term, mut sum) = (f64::exp(-x), 0.0);
                for j in 0..shape {
                    sum += term;
                    term *= x / f64::from(j + 1);
                }
                let (p, q) = regularized(f64::from(shape), x);
                assert!((q - sum).abs() < 1e-13 && (p + q - 1.0).abs() < 1e-15, "{shape} {x}: {q} {sum}");
            }
        }
        // P(1/2, x) = erf(√x)
        assert!((regularized(0.5, 0.09).0 - libm::erf(0.3)).abs() < 1e-15);
    }
}
