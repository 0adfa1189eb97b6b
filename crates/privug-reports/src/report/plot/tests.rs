//! Whole plots: well-formed, the same every time, and drawn whatever the numbers and names are.

use proptest::prelude::*;

use super::scene::{Anchor, Mark, Rect, Text};
use super::*;

fn curve(label: &str, mean: f64, variance: f64, style: CurveStyle) -> Curve {
    Curve { label: label.to_owned(), mean, variance, style, placed: true }
}

fn panel(name: &str, before: (f64, f64), after: (f64, f64), truth: Option<f64>) -> Panel {
    let curves = vec![
        curve("before", before.0, before.1, CurveStyle::Before),
        curve("after", after.0, after.1, CurveStyle::After),
    ];
    Panel { name: name.to_owned(), curves, truth, interval_level: 0.95 }
}

fn density(title: &str, panels: Vec<Panel>) -> Plot {
    DensityPlot { title: title.to_owned(), unit: Some("kr.".to_owned()), panels }.into()
}

fn texts(plot: &Plot) -> Vec<String> {
    let svg = to_svg(plot);
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .map(str::to_owned)
        .collect()
}

#[test]
fn hostile_names_stay_text() {
    let name = "<script>alert(\"1\")</script> ]]> & ' \u{0}\u{1b} שלום \u{202e}evil 🙂 \u{fffe}";
    let mut plot = panel(name, (0.0, 1.0), (f64::NAN, 1.0), Some(1.0));
    plot.curves[0].label = name.to_owned();
    let svg = to_svg(&density(name, vec![plot]));
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    assert!(!document.descendants().any(|node| node.has_tag_name("script")));
    assert!(!svg.contains('\u{202e}') && !svg.contains('\u{1b}'));
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let first: Vec<_> =
        root.children().filter(|node| node.is_element()).take(2).map(|node| node.tag_name().name()).collect();
    assert_eq!(first, ["title", "desc"]);
}

#[test]
fn curves_carry_their_numbers() {
    let svg = to_svg(&density("t", vec![panel("x", (0.5, 2.0), (1.0, 0.0), Some(1.25))]));
    for part in
        ["data-panel=\"x\"", "data-curve=\"before\" data-mean=\"0.5\" data-variance=\"2\"", "data-truth=\"1.25\""]
    {
        assert!(svg.contains(part), "{part}");
    }
}

#[test]
fn a_fully_disclosed_secret_is_said_in_words() {
    let plot = density("t", vec![panel("x", (480_000.0, 100.0), (483_000.0, 0.0), None)]);
    assert!(texts(&plot).contains(&"after: known exactly: 483,000 kr.".to_owned()));
}

#[test]
fn beyond_twelve_panels_the_rest_is_counted() {
    let panels = (0..50).map(|index| panel(&format!("x[{index}]"), (0.0, 1.0), (0.1, 0.5), None)).collect();
    let found = texts(&density("t", panels));
    assert!(found.contains(&"38 more secrets are not shown.".to_owned()));
    assert!(found.contains(&"x[11]".to_owned()) && !found.contains(&"x[12]".to_owned()));
    assert!(texts(&density("t", vec![])).contains(&"There are no secrets to draw.".to_owned()));
}

#[test]
fn the_same_plot_gives_the_same_bytes() {
    let plot = density("t", vec![panel("x", (480_000.0, 100.0), (483_000.0, 90.0), Some(483_001.0))]);
    assert_eq!(to_svg(&plot), to_svg(&plot.clone()));
    assert_eq!(to_png(&plot, 1.0), to_png(&plot.clone(), 1.0));
}

#[test]
fn a_png_has_the_size_asked_for_and_absurd_sizes_are_refused() {
    let plot = density("t", vec![]);
    let bytes = to_png(&plot, 2.0).expect("a picture");
    assert_eq!(&bytes[1..4], b"PNG");
    // Width at byte 16: 2 · (680 + 2 · 20).
    assert_eq!(u32::from_be_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]), 1440);
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(to_png(&plot, scale).is_err(), "{scale}");
    }
}

/// The rectangles of all texts and the points of all curves.
type Layout = (Vec<(Rect, String)>, Vec<(f64, f64)>);

fn layout(plot: &Plot) -> Layout {
    fn walk(marks: &[Mark], curve: bool, font: &font::Font, found: &mut Layout) {
        for mark in marks {
            match mark {
                Mark::Text(Text { x, y, text, size, anchor, upwards, .. }) => {
                    let width = font.width(text, *size);
                    let start = match anchor {
                        Anchor::Start => 0.0,
                        Anchor::Middle => -width / 2.0,
                        Anchor::End => -width,
                    };
                    let rect = if *upwards {
                        Rect { x: x - 0.75 * size, y: y + start, width: *size, height: width }
                    } else {
                        Rect { x: x + start, y: y - 0.75 * size, width, height: *size }
                    };
                    found.0.push((rect, text.clone()));
                }
                Mark::Line { points, .. } if curve => found.1.extend(points),
                Mark::Line { .. } | Mark::Area { .. } => {}
                Mark::Group { data, marks } => {
                    let curve = data.iter().any(|(name, _)| matches!(*name, "curve" | "series" | "truth"));
                    walk(marks, curve, font, found);
                }
            }
        }
    }
    let mut found = (Vec::new(), Vec::new());
    walk(&scene(plot).marks, false, &font::Font::new(), &mut found);
    found
}

fn check_layout(plot: &Plot) -> Result<(), String> {
    let (texts, points) = layout(plot);
    let scene = scene(plot);
    for (index, (rect, text)) in texts.iter().enumerate() {
        for (other, words) in &texts[..index] {
            let apart = rect.x >= other.right()
                || other.x >= rect.right()
                || rect.y >= other.bottom()
                || other.y >= rect.bottom();
            if !apart {
                return Err(format!("“{text}” {rect:?} covers “{words}” {other:?}"));
            }
        }
        if let Some(point) =
            points.iter().find(|(x, y)| *x > rect.x && *x < rect.right() && *y > rect.y && *y < rect.bottom())
        {
            return Err(format!("“{text}” covers a curve at {point:?}"));
        }
        if rect.x < -0.5 || rect.right() > scene.width + 0.5 || rect.y < -0.5 || rect.bottom() > scene.height + 0.5 {
            return Err(format!("“{text}” leaves the picture: {rect:?}"));
        }
    }
    Ok(())
}

/// Numbers that break plots: every double, and the ones that people use.
fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        -1e6..1e6f64,
        Just(0.0),
        Just(480_000.0),
        Just(480_000.000_01),
        Just(1e300),
        Just(1e-300),
        Just(f64::INFINITY),
        Just(f64::NAN),
    ]
}

fn panels() -> impl Strategy<Value = Vec<Panel>> {
    let style =
        prop_oneof![Just(CurveStyle::Before), Just(CurveStyle::After), any::<usize>().prop_map(CurveStyle::Series)];
    let curve = ("[a-z<&]{0,12}", numbers(), numbers(), style).prop_map(|(label, mean, variance, style)| Curve {
        label,
        mean,
        variance,
        style,
        placed: true,
    });
    let panel = (".{0,20}", prop::collection::vec(curve, 0..5), prop::option::of(numbers()), numbers())
        .prop_map(|(name, curves, truth, interval_level)| Panel { name, curves, truth, interval_level });
    prop::collection::vec(panel, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_densities_can_be_drawn(title in ".{0,40}", unit in prop::option::of(".{0,8}"), panels in panels()) {
        let plot: Plot = DensityPlot { title, unit, panels }.into();
        let svg = to_svg(&plot);
        prop_assert!(roxmltree::Document::parse(&svg).is_ok(), "{}", svg);
        prop_assert!(to_png(&plot, 0.3).is_ok());
        prop_assert_eq!(check_layout(&plot), Ok(()));
    }

    #[test]
    fn realistic_densities_never_cover_their_labels(
        mean in -1e6..1e6f64, shift in -40.0..40.0f64, spread in 0.001..1e5f64, ratio in 1e-9..1.0f64, truth in -1e6..1e6f64, copies in 1usize..6,
    ) {
        let after = (mean + shift * spread, (spread * ratio) * (spread * ratio));
        let plot = density("t", vec![panel("income", (mean, spread * spread), after, Some(truth)); copies]);
        prop_assert_eq!(check_layout(&plot), Ok(()));
    }

    #[test]
    fn any_lines_can_be_drawn(
        points in prop::collection::vec(prop::collection::vec((numbers(), numbers()), 0..6), 0..30),
        log_x in any::<bool>(), log_y in any::<bool>(), threshold in prop::option::of(numbers()), label in ".{0,30}",
    ) {
        let series = points.into_iter().map(|points| Series { label: label.clone(), points }).collect();
        let threshold = threshold.map(|value| (value, label.clone()));
        let plot: Plot = LinePlot { title: label.clone(), x_label: label.clone(), y_label: label.clone(), log_x, log_y, series, threshold }.into();
        let svg = to_svg(&plot);
        prop_assert!(roxmltree::Document::parse(&svg).is_ok(), "{}", svg);
        prop_assert!(to_png(&plot, 0.3).is_ok());
        prop_assert_eq!(check_layout(&plot), Ok(()));
    }

    #[test]
    fn any_heatmap_can_be_drawn(
        xs in prop::collection::vec(numbers(), 0..8), ys in prop::collection::vec(numbers(), 0..8),
        values in prop::collection::vec(prop::collection::vec(numbers(), 0..8), 0..8), log_values in any::<bool>(), label in ".{0,30}",
    ) {
        let plot: Plot = Heatmap { title: label.clone(), x_label: label.clone(), y_label: label.clone(), value_label: label, xs, ys, values, log_values }.into();
        let svg = to_svg(&plot);
        prop_assert!(roxmltree::Document::parse(&svg).is_ok(), "{}", svg);
        prop_assert!(to_png(&plot, 0.3).is_ok());
        prop_assert_eq!(check_layout(&plot), Ok(()));
    }
}
