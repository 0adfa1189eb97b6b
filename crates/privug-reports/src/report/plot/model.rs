//! What the plots show, independent of how they are drawn and of which analysis the numbers come from.

/// A picture that can be drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Plot {
    /// Densities of secrets.
    Density(DensityPlot),
    /// Quantities over one parameter.
    Line(LinePlot),
    /// A quantity over two parameters.
    Heatmap(Heatmap),
    /// How many there are of each size.
    Histogram(Histogram),
    /// Probabilities of values.
    Bars(BarPlot),
}

impl From<DensityPlot> for Plot {
    fn from(plot: DensityPlot) -> Self {
        Plot::Density(plot)
    }
}

impl From<LinePlot> for Plot {
    fn from(plot: LinePlot) -> Self {
        Plot::Line(plot)
    }
}

impl From<BarPlot> for Plot {
    fn from(plot: BarPlot) -> Self {
        Plot::Bars(plot)
    }
}

impl From<Heatmap> for Plot {
    fn from(plot: Heatmap) -> Self {
        Plot::Heatmap(plot)
    }
}

/// What is known about secrets: one panel for each.
#[derive(Debug, Clone, PartialEq)]
pub struct DensityPlot {
    /// Heading of the picture.
    pub title: String,
    /// Unit of all the secrets, such as `kr.`.
    pub unit: Option<String>,
    /// The secrets; the first twelve are drawn.
    pub panels: Vec<Panel>,
}

/// What is known about one secret.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Name of the secret.
    pub name: String,
    /// The distributions, usually the prior and the posterior.
    pub curves: Vec<Curve>,
    /// The true value, if it is known.
    pub truth: Option<f64>,
    /// Probability of the shaded interval of the [`CurveStyle::After`] curves, such as 0.95.
    pub interval_level: f64,
}

/// A normal distribution to draw; a variance of 0 is a value that is known exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What it is, such as `before`.
    pub label: String,
    /// Its mean.
    pub mean: f64,
    /// Its variance.
    pub variance: f64,
    /// How it is drawn.
    pub style: CurveStyle,
    /// Whether its mean is known. If not, it has its width already, but will stand elsewhere.
    pub placed: bool,
}

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveStyle {
    /// Dashed.
    Before,
    /// Solid, with its interval shaded.
    After,
    /// The n-th of several that stand beside each other; each has its own colour and dashes.
    Series(usize),
}

/// Quantities over one parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct LinePlot {
    /// Heading of the picture.
    pub title: String,
    /// The parameter, with its unit.
    pub x_label: String,
    /// The quantity, with its unit.
    pub y_label: String,
    /// Whether the parameter has a logarithmic axis.
    pub log_x: bool,
    /// Whether the quantity has a logarithmic axis.
    pub log_y: bool,
    /// The lines.
    pub series: Vec<Series>,
    /// A value of the quantity that matters, and its name.
    pub threshold: Option<(f64, String)>,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name.
    pub label: String,
    /// Its points (x, y), drawn in this order; infinite ones are marked at the edge, NaN is a gap.
    pub points: Vec<(f64, f64)>,
}

/// A quantity over two parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Heatmap {
    /// Heading of the picture.
    pub title: String,
    /// The parameter to the right, with its unit.
    pub x_label: String,
    /// The parameter upwards, with its unit.
    pub y_label: String,
    /// The quantity, with its unit.
    pub value_label: String,
    /// Values of the parameter to the right, a column each.
    pub xs: Vec<f64>,
    /// Values of the parameter upwards, a row each.
    pub ys: Vec<f64>,
    /// `values[row][column]`; what is missing or NaN is drawn as undefined.
    pub values: Vec<Vec<f64>>,
    /// Whether the colours are spread over the logarithm.
    pub log_values: bool,
}

/// Probabilities of the values of secrets: one panel for each.
#[derive(Debug, Clone, PartialEq)]
pub struct BarPlot {
    /// Heading of the picture.
    pub title: String,
    /// The secrets; the first twelve are drawn.
    pub panels: Vec<BarPanel>,
}

/// The values of one secret.
#[derive(Debug, Clone, PartialEq)]
pub struct BarPanel {
    /// Name of the secret.
    pub name: String,
    /// The values, or ranges of them.
    pub labels: Vec<String>,
    /// The distributions, usually before and after.
    pub series: Vec<BarSeries>,
    /// Place of the true value, if it is known.
    pub truth: Option<usize>,
}

/// One distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct BarSeries {
    /// What it is, such as `before`.
    pub label: String,
    /// The probability of each value.
    pub heights: Vec<f64>,
    /// How it is drawn.
    pub style: CurveStyle,
}

/// How many there are of each size.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// Heading of the picture.
    pub title: String,
    /// The size, with its unit.
    pub x_label: String,
    /// What is counted.
    pub y_label: String,
    /// The ends of the axis; bars may go a little beyond the upper one.
    pub range: (f64, f64),
    /// Whether the counts have a logarithmic axis.
    pub log_y: bool,
    /// The bars, from left to right.
    pub bars: Vec<Bar>,
}

/// One bar of a histogram.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Left end.
    pub low: f64,
    /// Right end.
    pub high: f64,
    /// How many.
    pub count: usize,
    /// What it stands for.
    pub words: String,
    /// Whether it has another colour than the others.
    pub stands_out: bool,
}
