package dev.tilewright.launch.bundle;

import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.expression.Expression;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads {@code kernel.yaml}. */
final class BundleReader {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final Pattern IDENTIFIER = RuleReader.IDENTIFIER;
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,62}");
    private static final int MOST_VALUES = 1000;
    private static final int MOST_WHOLE = 999_999_999;
    private static final long MOST_POINTS = 1_000_000;
    private static final String NUMBERED = "constraint";

    private final Node.Mapping root;

    private BundleReader(Node.Mapping root) {
        this.root = root;
    }

    static KernelYaml read(Node.Mapping root) {
        return new BundleReader(root).read();
    }

    /** @throws DocumentException if nobody could ask for a bundle of this name */
    static String name(Node named) {
        if (!NAME.matcher(named.text()).matches()) {
            throw named.at().wrong("must be " + NAME + ", got " + named.shown());
        }
        return named.text();
    }

    private KernelYaml read() {
        root.only("name", "problem", "epilogue", "space", "let", "constraints", "kernel", "launch", "helper");
        String name = name(root.get("name"));
        Node.Mapping problem = root.get("problem")
                .mapping()
                .only("a", "b", "d", "scales", "accumulator", "batched", "conditions", "tolerance");
        BundleScales scales = scales(problem);
        BundleProblem takes = problem(problem, scales);
        BundleEpilogue epilogue = root.find("epilogue")
                .map(node -> BundleEpilogue.read(node, takes.types().d()))
                .orElse(BundleEpilogue.NONE);
        List<BundleParameter> parameters = parameters();
        RuleReader names = RuleReader.of(parameters);
        Definitions definitions = definitions(names);
        Node.Mapping launch =
                root.find("launch").map(Node::mapping).orElseGet(() -> new Node.Mapping(root.at(), Map.of()));
        requireNoGemm(launch);
        Optional<Node> helper = root.find("helper");
        if (helper.isEmpty()) {
            launch.get("grid");
            launch.get("block");
        }
        return new KernelYaml(
                name,
                takes,
                epilogue.steps(),
                parameters,
                definitions,
                constraints(names, definitions, parameters),
                kernel(root.get("kernel"), launch.find("entry")),
                new LaunchTemplate(launch, takes, scales, epilogue, problem.find("tolerance")),
                helper.map(Node::text));
    }

    private static BundleScales scales(Node.Mapping problem) {
        OperandTypes types = types(problem);
        return problem.find("scales")
                .map(node -> BundleScales.read(node, types))
                .orElse(BundleScales.NONE);
    }

    private static OperandTypes types(Node.Mapping problem) {
        return new OperandTypes(
                operandType(problem.get("a")), operandType(problem.get("b")), operandType(problem.get("d")));
    }

    private static BundleProblem problem(Node.Mapping node, BundleScales scales) {
        Node a = node.get("a");
        Node b = node.get("b");
        Node d = node.get("d");
        DataType accumulator = node.find("accumulator").map(BundleReader::type).orElse(DataType.F32);
        if (accumulator != DataType.F32 && accumulator != DataType.F16) {
            throw node.get("accumulator").at().wrong("must be f32 or f16, got " + accumulator);
        }
        return new BundleProblem(
                types(node),
                new OperandMajors(major(a, Major.K, Major.M), major(b, Major.K, Major.N), major(d, Major.N, Major.M)),
                scales.kind(),
                accumulator,
                node.find("batched").map(Node::flag).orElse(false),
                RuleReader.ofProblem().rules(node.find("conditions"), "condition"),
                Optional.empty());
    }

    private static DataType operandType(Node node) {
        return type(
                node instanceof Node.Mapping mapping
                        ? mapping.only("type", "major").get("type")
                        : node);
    }

    private static DataType type(Node node) {
        try {
            return DataType.parse(node.text());
        } catch (IllegalArgumentException unknown) {
            throw node.at().wrong(String.valueOf(unknown.getMessage()));
        }
    }

    private static Major major(Node node, Major usual, Major other) {
        if (!(node instanceof Node.Mapping mapping)) {
            return usual;
        }
        return mapping.find("major")
                .map(named -> Stream.of(usual, other)
                        .filter(major -> major.toString().equals(named.text()))
                        .findFirst()
                        .orElseThrow(
                                () -> named.at().wrong("must be " + usual + " or " + other + ", got " + named.shown())))
                .orElse(usual);
    }

    private List<BundleParameter> parameters() {
        List<BundleParameter> parameters = new ArrayList<>();
        long points = 1;
        Optional<Node.Mapping> space = root.find("space").map(Node::mapping);
        space.ifPresent(node -> RuleReader.requireFew(node, node.entries().size()));
        for (Map.Entry<String, Node> entry :
                space.map(Node.Mapping::entries).orElse(Map.of()).entrySet()) {
            requireName(entry.getKey(), entry.getValue(), Set.of(Definitions.SMS));
            List<Node> items = entry.getValue() instanceof Node.Items(var _, List<Node> several)
                    ? several
                    : List.of(entry.getValue());
            List<ParameterValue> values =
                    items.stream().map(BundleReader::value).toList();
            if (values.isEmpty() || values.size() > MOST_VALUES || new HashSet<>(values).size() < values.size()) {
                throw entry.getValue().at().wrong("must be 1 to " + MOST_VALUES + " values, each once, got " + values);
            }
            if (values.stream().map(Object::getClass).distinct().count() > 1) {
                throw entry.getValue().at().wrong("must be whole numbers, or words, not both, got " + values);
            }
            points *= values.size();
            if (points > MOST_POINTS) {
                throw entry.getValue()
                        .at()
                        .wrong("all values together must have at most " + MOST_POINTS + " combinations, got " + points);
            }
            parameters.add(new BundleParameter(entry.getKey(), values));
        }
        return parameters;
    }

    private static ParameterValue value(Node node) {
        if (node instanceof Node.Scalar(var _, Node.Kind kind, String word, var _)
                && kind == Node.Kind.TEXT
                && WORD.matcher(word).matches()) {
            return ParameterValue.of(word);
        }
        try {
            return ParameterValue.of(node.small(-MOST_WHOLE, MOST_WHOLE));
        } catch (DocumentException neither) {
            throw node.at()
                    .wrong("must be a whole number of " + -MOST_WHOLE + ".." + MOST_WHOLE + " or a word " + WORD
                            + ", got " + node.shown());
        }
    }

    private Definitions definitions(RuleReader names) {
        SequencedMap<String, Expression> definitions = new LinkedHashMap<>();
        Optional<Node.Mapping> let = root.find("let").map(Node::mapping);
        let.ifPresent(node -> RuleReader.requireFew(node, node.entries().size()));
        let.map(Node.Mapping::entries).orElse(Map.of()).forEach((name, value) -> {
            requireName(name, value, names.names());
            definitions.put(name, names.expression(value));
            names.names().add(name);
        });
        return new Definitions(definitions);
    }

    private static void requireName(String name, Node value, Set<String> taken) {
        if (!IDENTIFIER.matcher(name).matches()) {
            throw value.at().wrong("a name is " + IDENTIFIER + ", got '" + name + "'");
        }
        if (taken.contains(name) || RuleReader.OF_PROBLEM.contains(name) || Expression.isFunction(name)) {
            throw value.at().wrong("'" + name + "' has a meaning already");
        }
    }

    private List<BundleConstraint> constraints(
            RuleReader names, Definitions definitions, List<BundleParameter> parameters) {
        List<BundleRule> rules = names.rules(root.find("constraints"), NUMBERED);
        return rules.stream()
                .map(rule -> {
                    Set<String> behind = definitions.behind(rule.that());
                    List<String> seen = parameters.stream()
                            .map(BundleParameter::name)
                            .filter(behind::contains)
                            .toList();
                    if (seen.isEmpty()) {
                        throw root.get("constraints")
                                .at()
                                .wrong("'" + rule.that()
                                        + "' looks at no parameter; a rule of problems is one of problem.conditions");
                    }
                    return new BundleConstraint(rule, seen, definitions);
                })
                .toList();
    }

    private static KernelTemplate kernel(Node node, Optional<Node> entry) {
        if (!(node instanceof Node.Mapping mapping)) {
            return new KernelTemplate(node, false, entry, Optional.empty());
        }
        mapping.only("file", "template", "target");
        if (mapping.find("file").isPresent() == mapping.find("template").isPresent()) {
            throw node.at().wrong("needs one of the keys 'file' and 'template'");
        }
        boolean holes = mapping.find("template").isPresent();
        return new KernelTemplate(mapping.get(holes ? "template" : "file"), holes, entry, mapping.find("target"));
    }

    /** Refuses a gemm in 'expect'. The expectation of D follows from the problem; a second one could contradict it. */
    private static void requireNoGemm(Node.Mapping launch) {
        launch.find("expect").map(Node::items).orElse(List.of()).forEach(item -> {
            if (item instanceof Node.Mapping mapping && mapping.find("gemm").isPresent()) {
                throw item.at()
                        .wrong("the gemm of the problem is expected already; its tolerance is problem.tolerance,"
                                + " its other parts are in 'epilogue'");
            }
        });
    }
}
