//! Every code a diagnostic can have, with what `privug explain` says about it.

macro_rules! codes {
    ($($variant:ident $id:literal $title:literal $explanation:literal)*) => {
        /// What kind of finding a diagnostic is. The identifiers never change their meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $variant,)*
        }

        /// All codes, by number.
        pub const ALL: &[Code] = &[$(Code::$variant,)*];

        impl Code {
            /// The identifier, such as `P301`.
            pub fn id(self) -> &'static str {
                match self { $(Code::$variant => $id,)* }
            }

            /// What it is, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$variant => $title,)* }
            }

            /// Why it is refused and what to write instead, in Markdown.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$variant => $explanation,)* }
            }
        }
    };
}

impl Code {
    /// The code with an identifier, in any case, with or without its letter.
    pub fn from_id(id: &str) -> Option<Code> {
        ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id) || &code.id()[1..] == id)
    }
}

codes! {
    UnreadableFile "P001" "the file cannot be read"
        "The path does not exist, is a directory, or may not be read. Check the spelling; the program is given as \
         `FILE.py` or `FILE.py:function`."
    NotUtf8 "P002" "the file is not UTF-8 text"
        "Programs are UTF-8 text, as Python's are. Save the file as UTF-8."
    BinaryFile "P003" "the file is not a text file"
        "The file contains NUL bytes, so it is not a Python program. Check the path."
    SyntaxError "P004" "the source is not valid Python"
        "The program must be valid Python. The message is the parser's; the location is where parsing failed, and the mistake may be slightly earlier (an unclosed bracket, a missing colon, tabs mixed with spaces)."
    NestedTooDeeply "P005" "the source is nested too deeply"
        "Brackets or blocks are nested hundreds of levels deep. Name the inner parts and use the names."
    ExpressionTooLong "P006" "an expression is too long"
        "One expression has tens of thousands of parts between two commas, such as a chain of `+`. Put the terms into a list and use `sum(...)`: lists may be of any length."
    SourceTooLarge "P007" "the source is too large"
        "The source text is larger than the limit. Build the data with a comprehension instead of writing it out."
    NoFunction "P008" "the program has no function"
        "The entry point of an analysis is a function: `def main(): ...`. The file has none."
    AmbiguousEntryPoint "P010" "it is not clear which function to analyse"
        "The file has several functions, none is named `main`, and more than one is not called by any other. Specify one with `FILE.py:function`."
    UnknownEntryPoint "P011" "there is no function of that name"
        "The function named after the colon in `FILE.py:function` is not defined in the file."
    ParameterWithoutValue "P012" "a parameter has no value"
        "The analysed function has a parameter without a default. Bind it to a distribution with \
         `--prior 'ages=[Normal(35, 4) for _ in range(100)]'` or to a value with `--set epsilon=0.5`."
    UnknownParameter "P013" "the function has no such parameter"
        "A binding names something that is not a parameter of the analysed function."
    MalformedOption "P014" "an option is malformed"
        "Bindings are `name=expression`; observations are `44`, `44±0.1`, `return[1]=3.5` or \
         `return['men']=472_000±10`; the part after `=` is an expression of the language."
    NoSuchOutput "P015" "the observed output does not exist"
        "An observation names an output that the function does not return, or its value has another shape than the \
         output. Outputs are addressed as `return`, `return[0]`, `return['key']`."
    NothingRandom "P016" "the result is not random"
        "What the function returns (or the secret) is an ordinary number, so there is nothing to learn about it. Bind \
         the inputs to distributions with `--prior`, or return a random variable."
    BoundTwice "P017" "a parameter is bound twice"
        "Two bindings assign a value to the same parameter. Remove one."
    ObservedTwice "P018" "an output is observed twice"
        "Two observations assign a value to the same output. Remove one."
    SecretExpected "P019" "an observation needs a secret"
        "`--observe` gives the published value, so the function's result is the published output and the secret must be named with `--secret`. A requirement on a program that publishes and observes nothing needs a secret too: otherwise there is nothing to decide."

    UnsupportedSyntax "P100" "this syntax is not part of the language"
        "The language is the part of Python that describes computations on Gaussian and discrete random variables. This \
         construct is not part of it; see the language page for what is supported."
    While "P101" "this `while` loop does not end"
        "Every analysis ends: a loop that never ends is refused, and so is one that ends only by chance. Write \
         `for i in range(n):` with `break` where it should stop early."
    Try "P102" "this `try` is not supported"
        "A handler must name exception classes of Python or of the file. A `try` with a `finally` clause may be left early (by `return`, `break` or `continue`), but not from inside several of them: move the statements of `finally` after the whole `try`."
    With "P103" "the `__exit__` of this `with` is not supported"
        "`with open(...)` is supported, and so are classes of the file with `__enter__` and an `__exit__` that tests at most whether there was an exception (`exc_type is not None`). For anything else call a function at the end."
    Class "P104" "this class is not supported"
        "A class may have methods, constants, properties and the fields of a `@dataclass`, and must be at the top level, or in a function that nothing else calls and whose variables it does not use. It may inherit from one class of the same file, and call its methods with `super()`. Most special methods are supported (`__eq__`, `__add__`, `__len__`, `__getitem__`, `__next__`, …), some are not (`__getattr__`, `__setattr__`)."
    Lambda "P105" "this `lambda` cannot be analysed"
        "A `lambda` may be passed on and called, and may use enclosing variables that do not change. If one of them changes, or it has starred parameters, define a function with `def` at the top level and pass the value as an argument."
    NestedFunction "P106" "this nested function cannot be analysed"
        "A nested function may use enclosing variables with the values they have where it is defined. If one of them changes, or the function calls itself, move it to the top level and pass what it needs as arguments."
    Decorator "P107" "this decorator is not part of the language"
        "Supported are `@dataclass`, `@property`, `@staticmethod` and `@classmethod` in a class, `@wraps`, and functions of the file that take the decorated one. `@cache` and `@lru_cache(maxsize=None)` are supported for functions without defaults that are called with positional arguments. Remove other decorators, or call the decorating function explicitly."
    Async "P108" "`async` and `await` are not part of the language"
        "Programs run from top to bottom. Remove the keyword."
    Yield "P109" "this `yield` is not supported"
        "A generator function is run to its end when it is called. So its values have to be consumed immediately, by a loop that changes nothing that the function uses, or by `list(...)`; and the function must not change anything visible outside. Otherwise collect the values in a list and return the list."
    Global "P110" "it is not clear where a variable is first assigned"
        "A variable named in `nonlocal` or `global` must be assigned, outside branches and loops, before anything else uses it; and nothing else may have its name. Otherwise pass values as arguments and return results."
    Delete "P111" "`del` of a name or a slice is not part of the language"
        "Remove the statement: unused values cost nothing."
    Match "P112" "this `match` pattern is not part of the language"
        "Patterns may be values, `None`, names, lists, tuples and dictionaries of patterns, several of them joined by `|`, and `_`. For everything else use `if`/`elif`/`else`."
    Raise "P113" "this `raise` cannot be analysed"
        "An exception must be raised by its class name, with or without a message. A run that reaches it publishes nothing that could be analysed."
    UnsupportedImport "P114" "this module cannot be imported"
        "Nothing is executed, so only modules that the language knows can be imported; the language page lists them."
    StarArguments "P115" "this use of `*` or `**` is not part of the language"
        "An assignment may have one starred target, and the keys of `**` arguments must be strings."
    Walrus "P116" "this `:=` cannot be analysed"
        "`:=` assigns to a variable of the function. Instead of using it in a `lambda`, assign on a separate line."
    Set "P117" "the elements of a set have no order"
        "Use a list or a dictionary; their order is defined, so the same program always gives the same result."
    Literal "P118" "this kind of literal is not part of the language"
        "Numbers are integers and floats; complex numbers, bytes and `...` are not supported."
    BitOperator "P119" "this bitwise operator is not supported here"
        "`& | ^ ~ << >>` have no meaning on Gaussian variables and on numbers that are not integers. Use `and`, `or`, `not` on \
         booleans, `*` and `//` on numbers."
    Attribute "P120" "this attribute is not supported"
        "Supported are the attributes of arrays (`size`, `shape`), the methods of lists, dictionaries and arrays, and the attributes and methods of tables, columns and groups that the language page lists."
    FormatSpecification "P121" "this format in an f-string is not part of the language"
        "f-strings may hold plain values and the usual formats (width, alignment, thousands separator, precision, type), \
         as in `{x:,.0f}`, `{n:03d}`, `{x:>8.2f}` and `{x:.1%}`."
    FunctionAsValue "P122" "this is not a value"
        "A module is not a value, and the result of `map` or `filter` must be consumed where it is created: inside `sum(...)`, `list(...)` and the like."
    OutsideOfLoop "P123" "`break` or `continue` is outside a loop"
        "They end a loop or skip to its next iteration, and there is no loop around them."
    OutsideOfFunction "P124" "`return` is outside a function"
        "Put it into the function it belongs to."
    AssignmentTarget "P125" "this cannot be assigned to"
        "Assign to a name, to an element (`xs[0] = ...`), or to a tuple of these."
    IdentityTest "P126" "`is` compares only with `None` and objects"
        "Two numbers that are equal need not be the same object. Write `==`."

    UnknownName "P201" "the name is not defined"
        "No assignment, parameter, function or import defines this name."
    UnknownFunction "P202" "the function is not known"
        "It is neither defined in the file nor one of the functions of the language."
    UnknownMember "P203" "the module has no such member here"
        "Only the functions on the language page are known. For a number known beforehand, write the number."
    UsedBeforeAssignment "P204" "a variable is used before it has a value"
        "On the path that the program took, no assignment to the name was reached."
    WrongArguments "P205" "the arguments do not fit the function"
        "An argument is missing, is passed twice, or is not accepted."
    DefinedTwice "P206" "a function is defined twice"
        "Two functions of the file have one name. Rename one of them."
    DynamicVariableName "P207" "the name of a variable is computed"
        "`condition(\"average\", ...)` needs the name as a string literal, because names are resolved before the program runs. Pass the variable itself: `condition(averages[i], ...)`."
    UnknownDistribution "P208" "the distribution is not known"
        "Random values are `Normal` and `MultivariateNormal`, which linear programs keep Gaussian, and discrete ones: `Bernoulli`, `Categorical`, `DiscreteUniform`, `Binomial`, `Poisson` and `Geometric`. Others \
         have no \
         exact posterior here. A continuous one can be replaced by a mixture of normal distributions, or by \
         `Categorical` on a grid."

    ProductOfRandom "P301" "a product of random variables is not Gaussian"
        "The product of two Gaussian variables is not Gaussian, so there is no exact answer in this engine. Multiply \
         by a number known to the attacker, or model the product directly with a `Normal` of its own."
    DivisionByRandom "P302" "dividing by a random variable is not Gaussian"
        "The quotient has no mean. If the divisor is public (a count), use the number itself."
    PowerOfRandom "P303" "a power of a random variable is not Gaussian"
        "Squares and roots of Gaussian variables are not Gaussian. Variances of secret data cannot be analysed \
         exactly; means and sums can."
    ComparisonOfRandom "P304" "a random variable is compared"
        "A Gaussian variable may be compared with a number: the outcome is a random boolean. It must then not be part of sums that are published or observed too, because its posterior would have no closed form. Publish its \
         comparisons or its sums, or ask for the probability with `--query 'P(x > 3)'`."
    BranchOnRandom "P305" "the program branches on a random value"
        "A program may branch on discrete random values and on comparisons of a Gaussian variable with numbers. The \
         truth of a Gaussian variable itself, and a choice between objects that hold random values, are refused: \
         compare with a number, or let the choice decide between numbers."
    NonlinearFunction "P306" "a non-linear function of a random variable is not Gaussian"
        "`abs`, `min`, `max`, `round`, `sorted`, `math.exp` and the like do not keep variables Gaussian. Only sums, \
         differences and multiples do."
    RandomIndex "P307" "a random value is used where a number known beforehand is needed"
        "Positions, sizes, ranges and keys must be known before the program runs."
    RandomVariance "P308" "a variance is random"
        "The variance of a `Normal` must be a number. A random variance gives distributions with heavier tails than a \
         Gaussian's, which have no exact answer here."
    RandomConversion "P309" "a random variable is converted to a number or a string"
        "A random variable has no single value to convert. Remove the conversion."
    RemainderOfRandom "P310" "a remainder or rounded quotient of a random variable is not Gaussian"
        "`//` and `%` are not linear. Use `/`."

    NegativeVariance "P401" "a variance or standard deviation is negative"
        "Variances are at least 0. The second positional argument of `Normal` is the variance."
    DivisionByZero "P402" "division by zero"
        "The divisor is 0; is a list empty?"
    IndexOutOfRange "P403" "an index is out of range"
        "Valid indices are 0 to the length minus 1, and -1 down to minus the length."
    MissingKey "P404" "a dictionary has no such key"
        "Check the key's spelling, or use `.get(key, default)`."
    Overflow "P405" "a number is too large"
        "The result is beyond 1.8e308, the largest double. Choose other units (thousands, millions)."
    DomainError "P406" "a function is not defined for this number"
        "For example the square root or the logarithm of a negative number."
    TypeMismatch "P407" "an operation does not fit its operands"
        "As in Python: strings and numbers cannot be added, a number cannot be indexed, and so on."
    BadArgument "P408" "an argument has an invalid value"
        "See the message for what is expected."
    UnpackMismatch "P409" "the number of values does not fit the number of names"
        "The number of names on the left must equal the number of values on the right."
    LengthMismatch "P410" "two sequences differ in length"
        "Arrays are combined element by element, so they must be equally long."
    AssertionFailed "P411" "an assertion does not hold"
        "The program's own `assert` failed."
    NotIterable "P412" "this value cannot be iterated over"
        "Loops go over ranges, lists, tuples, arrays, dictionaries and strings."
    BadCovariance "P413" "this is not a covariance matrix"
        "A covariance matrix is square, symmetric and positive semidefinite: no combination of the variables may have \
         a negative variance."
    VarianceTwice "P414" "a variance is missing or given twice"
        "Give exactly one of the variance (second positional argument, `variance=`, `var=`) and the standard deviation \
         (`std=`, `sigma=`, `sd=`, `scale=`)."
    BadMechanism "P415" "the privacy mechanism has no such calibration"
        "The sensitivity and ε must be positive and δ between 0 and 1. The classic formula is a theorem only for \
         ε < 1; use `calibration=\"analytic\"` otherwise."
    NotFinite "P416" "a number is infinite or undefined"
        "Infinities and NaN cannot be analysed exactly."

    BadProbability "P417" "the parameters do not define a distribution"
        "A probability lies between 0 and 1, and the probabilities of all values add up to 1. `DiscreteUniform(lower, \
         upper)` includes both ends, so the upper end is not below the lower one. The mean of `Poisson` is not negative."
    Contradiction "P501" "an observation contradicts the earlier ones"
        "What was observed before already determines this value, and it is a different one. Rounded figures need not be consistent: give the values before rounding, which on average reveal at least as much. Observe figures that were published with noise together with its standard deviation: `observe(x, value, std=...)` or `--observe 'value±std'`."
    ConditionOnConstant "P502" "the observed expression is not random"
        "Only random variables can be observed; this is an ordinary number."
    ObservedValue "P503" "the observed value is not a number"
        "The second argument of `condition` is the number that was published."
    Undecidable "P504" "an observation is too close to a redundant one to tell"
        "Up to the rounding of numbers in the program (irrational ones, or with very many digits), the observation follows from the earlier ones. \
         Whether it adds information cannot be decided, so no answer is given. Omit it, or observe it with noise."
    ScaleOutOfRange "P505" "the numbers span too many orders of magnitude"
        "Products of these numbers leave the range of doubles. Choose other units, or use `--exact`."

    VerificationFailed "P506" "doubles and exact arithmetic disagree"
        "`--verify` computes everything twice, and the results differ by more than 1e-9. Trust the exact result, and \
         report the program: this should not happen."

    TooUnlikely "P507" "what was observed is impossible, or too unlikely"
        "`Poisson` and `Geometric` have infinitely many values. Those with a total probability below 1e-290 are ignored, so \
         that evidence which needs them cannot be told from evidence that is impossible."

    StepLimit "P601" "the program takes too many steps"
        "The budget keeps a mistyped loop from running for hours. Raise it with `--max-steps`."
    VariableLimit "P602" "the program makes too many random variables"
        "Raise the budget with `--max-variables`; a variable takes about 50 bytes."
    SizeLimit "P603" "the program's lists are too large"
        "Raise the budget with `--max-elements`; an element takes about 24 bytes."
    DepthLimit "P604" "functions call each other too deeply"
        "Is there an infinite recursion? Raise the budget with `--max-depth`."
    NumberLimit "P605" "a number has too many digits"
        "Integers and exact rationals may have a limited number of bits. Raise it with `--max-bits`."
    WorkLimit "P606" "conditioning on this many overlapping observations takes too much work"
        "The work grows with the square of the number of observations that share people. Raise the budget with \
         `--max-work`."
    ValueNesting "P607" "values are nested too deeply"
        "Lists of lists of lists ... hundreds of levels deep, or a list that contains itself."
    Cancelled "P608" "the analysis was cancelled"
        "It was stopped from outside before it had a result."

    TooManyWorlds "P609" "too many combinations of choices"
        "A value depends on so many random choices at once that its possible values cannot be written out: two to the \
         power of the number of yes-or-no questions. Sums over people are never written out as long as they are only \
         added to, compared with numbers, observed or returned; other functions of many people at once are. Analyse \
         fewer choices, or publish less entangled figures."
    MalformedQuery "P701" "this query is not supported"
        "Queries are `P(event)`, `E(x)`, `Var(x)`, `Std(x)`, `quantile(x, 0.9)`, `Cov(x, y)` and `Corr(x, y)`, where `x` is any affine expression in the program's variables. Events are comparisons such as `x > 3`, \
         `a < x <= b`, `x < y`, `abs(x - 5) < 2`, joined by `and`, `or`, `not`."
    SeveralVariables "P702" "an event is about several variables at once"
        "`and`, `or` and `not` join intervals of one random variable. For several variables, compare one affine \
         expression of them: `P(x < y)`, `P(2*x - y > 3)`."
    UnknownMeasure "P703" "there is no measure of that name"
        "Measures are named as in the JSON, such as `mutual_information_bits` or `posterior_std`; the measures page \
         lists them all."
    MalformedRequirement "P704" "this is not a requirement"
        "A requirement compares a measure or a question with a number: `mutual_information_bits <= 0.1`, \
         `posterior_std >= 5000`, `P(abs(x - 500_000) < 5_000) <= 0.2`."
    TruthNeeded "P705" "this needs the true value of the secret"
        "Give it with `--truth 500_000`, or `--truth 'ages[0]=44'` for one of several secrets."
    UnknownSecret "P706" "there is no secret of that name"
        "A truth is given for something that is not a secret of the analysis. Use the name shown in the report."
    BadLevel "P707" "a level or tolerance is out of range"
        "Levels and probabilities lie between 0 and 1; a tolerance is a positive number, or a percentage of the truth \
         such as `5%`."
    BadSweep "P708" "this is not a range of a parameter"
        "A range is `name=from..to`, such as `epsilon=0.05..5`, with two different numbers; `--log` needs both to be \
         positive."
    NotComparable "P709" "the releases cannot be compared"
        "A comparison is about the same secrets under several releases, so all of them must have as many."
    TruthTwice "P710" "a secret has two true values"
        "`--truth` was given twice for the same secret. Give each secret one true value."
    ValuesNeeded "P711" "this depends on values that were not observed"
        "Before a release, most measures show what publishing would reveal, whatever the values: mutual \
         information, standard deviations, variances, the chance of a right guess, disclosure. Some depend on the \
         values themselves: KL divergence, total variation, means, probabilities, the distance to the truth. Observe \
         the values (`--observe`), or ask for one of the others."
    NothingToJudge "P712" "every release would meet this requirement"
        "A gate that cannot fail is useless. A requirement is refused if the secret is known beforehand (its prior has a \
         variance of 0, or one that is too small for a double), if it bounds what was known before the release, or if \
         it says `!=` of a number."

    BadPolicy "P721" "the policy is not valid"
        "A policy sets rules of an audit and their thresholds, in a TOML file (`--policy`) or in flags such as \
         `--rule minimum_frequency.fail=5` and `--rule dominance=off`."
    BadDefence "P722" "this is not a defence"
        "Defences are `--noise 'NAME=normal(std=...)'`, `--noise 'NAME=gaussian(epsilon=..., delta=..., \
         sensitivity=...)'`, `--suppress 'NAME'`, `--round BASE` and `--round 'NAME=BASE'`."
    UnknownFigure "P723" "there is no published figure of that name"
        "Defences use the name of a figure as shown in the report, such as `by group[21-30, male]`, or of a whole table, such as `by group`."
    BadTable "P724" "a table cannot be read"
        "The message gives the row and column. Tables are CSV files with a header line, or Parquet or Arrow files. Every figure skips missing values, as in pandas, unless `--missing refuse` is given."

    BadSupport "P727" "this is not a valid support"
        "`--support 'income >= 0'`, `--support '0 <= score <= 100'` and `--support 'ill in {0, 1}'` state which values of a secret column are publicly known to be possible. All real values must be among them."

    OverlappingSums "P728" "sums overlap under a prior that is not Gaussian"
        "With a skewed, bounded or empirical prior, posteriors are available for sums and means of disjoint or nested groups: given two sums that share some people, the posterior has no closed form. With a Gaussian prior it always has one. The same holds for a figure that has noise and is also rounded."

    UnknownColumn "P801" "the table has no such column"
        "Columns have the names in the file's header line, including case and spaces. A column whose name is not a valid Python identifier is accessed as `p[\"column name\"]`."
    SecretDecides "P802" "rows are chosen, grouped or ordered by a secret column"
        "Which rows belong together would be random, and the figures would not be Gaussian. Group and filter by columns \
         that the attacker knows."
    DifferentRows "P803" "columns of different rows are combined"
        "The rows of these columns, tables or masks differ, and this operation cannot match them by their labels. Take all of them from the same table, filter or grouping."
    BadSecret "P804" "this is not a secret that can be audited"
        "The secret is a column of numbers, named as `table.column`, such as `people.income`. With a discrete prior it may also hold strings or booleans."
    BadPerson "P805" "this is not a column that identifies people"
        "`--person` names a column of the secret's table."
    ObservationInRelease "P806" "an audited function observes something"
        "What an audited function returns is what is published. What the attacker knows beforehand goes into the prior."
    RandomRelease "P807" "a published figure is not a number"
        "The function is also run on the real data, and everything it publishes must be a number there. Add noise with `gaussian_mechanism`; the run on the real data uses the figure without noise."
    RunsDiffer "P808" "the function publishes different figures about the real data"
        "The function is run on the attacker's random variables and on the real data. Both runs must publish the same figures, under the same names; otherwise one figure would be judged by the values of another."

    NoTable "P820" "the script reads a table that is not given"
        "Nothing is executed, and no file is opened: `pd.read_csv` and the like return the table that was given under the name of the file, as `--table people=FILE` for `people.csv`."
    NotOfGroups "P830" "this cannot be computed from a table of groups"
        "A large table is first grouped by the columns that the script names: each row of the groups represents many people. Sums, means and counts of columns, filters and groupings by these columns are the same as for the table itself. Anything that depends on individual rows, their order or their rank is not supported; express it with sums, means and counts, or audit the table itself if it fits into memory."
    TooManyGroups "P831" "the table has too many groups"
        "People are grouped by all columns that the script and the prior name. The message names the one with the most distinct values: do not use it, or bin it (age groups, regions) in the table."
    BadGroups "P832" "this is not a table of groups"
        "`--groups` reads the result of the query that `privug plan` wrote, with all of its columns unchanged."

    UnknownResult "P901" "a value of this type cannot be inspected"
        "Python functions may return and observe numbers, strings, lists, tuples, dictionaries, named tuples, dataclasses, \
         simple objects, and the arrays, columns and tables of numpy, pandas, polars and pyarrow. Anything else could hide a secret, so it is an error: return one of these instead. If there are requirements, it is also an error to store a random variable in a global variable, a closure, an attribute or an argument: it could be published later."
    PythonRandomness "P902" "the function uses Python's own random numbers"
        "An analysis only accounts for the randomness that is declared to it, so a function must behave identically each time it runs. \
         Write noise as `privug.Normal(0, std=...)` or `privug.gaussian_mechanism(...)`. A sample that is drawn once and then fixed must come from a generator that is created inside the function with a seed, such as `np.random.default_rng(0)`; it is a constant. \
         Where a program is analysed from its source (the path of a file, or the command line), the random numbers of `random`, `secrets` and `numpy.random` are understood."
    OtherWithNumbers "P903" "the function behaves differently on plain numbers"
        "A Python function runs on random variables, and again on plain numbers, ordinary and extreme ones, and both runs must agree. They do not, so what is analysed is not what will be published: the function inspects the type of a value, or something that it uses (such as `numeric_only=True` in pandas) skips what is not a plain number. Select columns by their names, and compute with sums, differences and multiples."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_unique_and_ascending() {
        let ids: Vec<&str> = ALL.iter().map(|code| code.id()).collect();
        assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
        assert_eq!(Code::from_id("p301"), Some(Code::ProductOfRandom));
        assert_eq!(Code::from_id("P999"), None);
    }
}
