package dev.tilewright.worker.cli.gate.file;

import dev.tilewright.emulator.hazard.AcceptedRules;
import dev.tilewright.gate.document.GateName;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.gate.document.Retune;
import dev.tilewright.launch.document.Complaints;
import dev.tilewright.launch.document.DocumentReader;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.Suggestion;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads {@code tilewright.yaml}, and says all that is wrong with it at once. */
public final class GateFileReader {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final double MOST_SECONDS = 86_400;
    private static final double MOST_WEIGHT = 1e6;
    private static final int MOST_CASES = 500;

    private final Complaints complaints = new Complaints();

    /** Defaults for cases that do not set a value themselves. */
    private record Usual(Optional<BaselineEntry> baseline, Margins margins, double weight, List<String> accept) {}

    private GateFileReader() {}

    /** The folder that a file of gates lies in, from which its paths begin. */
    public static Path folder(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().normalize().getParent(), "a file lies in a folder");
    }

    /**
     * Reads a file.
     *
     * @throws CommandFailedException with a line for each thing that is wrong
     */
    public static GateFile read(Path path) {
        if (Files.isDirectory(path)) {
            throw CommandFailedException.usage(
                    path + ": is a folder; name the file in it, such as " + path.resolve("tilewright.yaml"));
        }
        if (!Files.isRegularFile(path)) {
            throw CommandFailedException.usage(path + ": there is no such file; tilewright gate init writes one");
        }
        try {
            return read(path.toString(), Files.readString(path));
        } catch (IOException unreadable) {
            throw CommandFailedException.usage(path + ": cannot be read: " + FileFault.reason(unreadable), unreadable);
        }
    }

    /**
     * Reads a text.
     *
     * @param shown how the file is called in complaints
     */
    public static GateFile read(String shown, String text) {
        GateFileReader reader = new GateFileReader();
        Optional<GateFile> file = reader.complaints
                .read(() -> DocumentReader.read(text, false).mapping())
                .map(reader::file);
        List<String> lines = reader.complaints.lines().stream()
                .map(line -> shown + ":" + Suggestion.to(line))
                .toList();
        if (!lines.isEmpty()) {
            throw new CommandFailedException(ExitCode.USAGE, lines.getFirst(), lines.subList(1, lines.size()), null);
        }
        return file.orElseThrow();
    }

    private GateFile file(Node.Mapping root) {
        complaints.only(
                root,
                List.of(
                        "gate",
                        "device",
                        "budgetSeconds",
                        "retuneSeconds",
                        "margins",
                        "weight",
                        "accept",
                        "baseline",
                        "kernels",
                        "problems",
                        "cases",
                        "programs"));
        String gate = complaints.get(root, "gate", GateFileReader::gate).orElse("");
        String device = complaints.find(root, "device", GateFileReader::device).orElse("auto");
        Optional<Double> budget = complaints.find(root, "budgetSeconds", node -> within(node, MOST_SECONDS));
        Optional<Integer> retune = complaints.find(root, "retuneSeconds", GateFileReader::retuneSeconds);
        boolean hasKernels = root.find("programs").isEmpty()
                || Stream.of("kernels", "problems", "cases")
                        .anyMatch(key -> root.find(key).isPresent());
        Map<String, KernelEntry> kernels =
                hasKernels ? named(root, "kernels", new KernelReader(complaints)::read) : Map.of();
        Map<String, ProblemEntry> problems =
                hasKernels ? named(root, "problems", new ProblemEntryReader(complaints)::read) : Map.of();
        BaselineReader baselines = new BaselineReader(complaints, kernels);
        Usual usual = usual(root, baselines, new Usual(Optional.empty(), Margins.STANDARD, 1, List.of()));
        Map<String, ProgramEntry> programs = root.find("programs").isEmpty()
                ? Map.of()
                : named(root, "programs", (name, node) -> program(name, node, baselines, usual));
        List<CaseEntry> cases = hasKernels ? cases(root, kernels, problems, baselines, usual) : List.of();
        requireSensible(root, cases, programs);
        return new GateFile(
                gate, device, budget, retune, List.copyOf(kernels.values()), cases, List.copyOf(programs.values()));
    }

    private Optional<ProgramEntry> program(String name, Node node, BaselineReader baselines, Usual ofAll) {
        return complaints.read(node::mapping).flatMap(program -> {
            Usual usual = usual(program, baselines, ofAll);
            return new ProgramReader(complaints).read(name, program, usual.baseline(), usual.margins(), usual.weight());
        });
    }

    private List<CaseEntry> cases(
            Node.Mapping root,
            Map<String, KernelEntry> kernels,
            Map<String, ProblemEntry> problems,
            BaselineReader baselines,
            Usual usual) {
        List<CaseEntry> cases = new ArrayList<>();
        root.find("cases")
                .ifPresentOrElse(
                        node -> complaints
                                .read(node::items)
                                .orElse(List.of())
                                .forEach(block -> complaints
                                        .read(block::mapping)
                                        .ifPresent(
                                                one -> cases.addAll(block(one, kernels, problems, baselines, usual)))),
                        () -> cases.addAll(product(
                                root, candidates(kernels, usual.baseline()), List.copyOf(problems.values()), usual)));
        return cases;
    }

    private void requireSensible(Node.Mapping root, List<CaseEntry> cases, Map<String, ProgramEntry> programs) {
        if (cases.isEmpty() && programs.isEmpty() && complaints.lines().isEmpty()) {
            complaints.add(root, "needs at least one case, a kernel and a problem, or a program, got none");
        }
        if (cases.size() > MOST_CASES) {
            complaints.add(root, "must have at most " + MOST_CASES + " cases, got " + cases.size());
        }
        Set<String> seen = new HashSet<>();
        cases.stream()
                .map(CaseEntry::name)
                .filter(name -> !seen.add(name))
                .distinct()
                .forEach(
                        twice -> complaints.add(root.find("cases").orElse(root), "has the case '" + twice + "' twice"));
    }

    /** All that may be slower than something: not what others are compared with. */
    private static List<KernelEntry> candidates(Map<String, KernelEntry> kernels, Optional<BaselineEntry> baseline) {
        return kernels.values().stream()
                .filter(kernel -> !(kernel.origin() instanceof KernelEntry.OfPeer))
                .filter(kernel -> !baseline.equals(Optional.of(new BaselineEntry.OtherKernel(kernel))))
                .toList();
    }

    private List<CaseEntry> block(
            Node.Mapping block,
            Map<String, KernelEntry> kernels,
            Map<String, ProblemEntry> problems,
            BaselineReader baselines,
            Usual ofAll) {
        complaints.only(block, List.of("kernels", "problems", "baseline", "margins", "weight", "accept"));
        Usual usual = usual(block, baselines, ofAll);
        List<KernelEntry> chosen = chosen(block, "kernels", kernels);
        chosen.stream()
                .filter(kernel -> kernel.origin() instanceof KernelEntry.OfPeer)
                .forEach(peer -> complaints.add(
                        block.get("kernels"), "the peer '" + peer.name() + "' can be a baseline, and no candidate"));
        return product(
                block,
                block.find("kernels").isPresent() ? chosen : candidates(kernels, usual.baseline()),
                block.find("problems").isPresent()
                        ? chosen(block, "problems", problems)
                        : List.copyOf(problems.values()),
                usual);
    }

    private <T> List<T> chosen(Node.Mapping block, String key, Map<String, T> known) {
        List<T> chosen = new ArrayList<>();
        complaints
                .find(block, key, Node::items)
                .orElse(List.of())
                .forEach(item -> complaints
                        .read(() -> Optional.ofNullable(known.get(item.text()))
                                .orElseThrow(() -> item.at()
                                        .wrong("unknown name " + item.shown() + "; known: "
                                                + String.join(", ", known.keySet()))))
                        .ifPresent(chosen::add));
        if (block.find(key).isPresent() && chosen.isEmpty()) {
            complaints.add(block.get(key), "must name at least one of " + String.join(", ", known.keySet()));
        }
        return chosen;
    }

    private List<CaseEntry> product(
            Node.Mapping at, List<KernelEntry> kernels, List<ProblemEntry> problems, Usual usual) {
        if (usual.baseline().isEmpty()) {
            if (at.find("baseline").isEmpty()) {
                complaints.add(at, "needs the key 'baseline', here or for all cases");
            }
            return List.of();
        }
        BaselineEntry baseline = usual.baseline().get();
        return kernels.stream()
                .flatMap(kernel -> problems.stream()
                        .map(problem -> new CaseEntry(
                                kernel.name() + "/" + problem.name(),
                                kernel,
                                problem,
                                baseline,
                                usual.margins(),
                                usual.weight(),
                                usual.accept())))
                .toList();
    }

    private Usual usual(Node.Mapping node, BaselineReader baselines, Usual otherwise) {
        return new Usual(
                node.find("baseline").isPresent() ? baselines.read(node.get("baseline")) : otherwise.baseline(),
                complaints.find(node, "margins", this::margins).orElse(otherwise.margins()),
                complaints
                        .find(node, "weight", value -> within(value, MOST_WEIGHT))
                        .orElse(otherwise.weight()),
                complaints.find(node, "accept", GateFileReader::rules).orElse(otherwise.accept()));
    }

    private <T> Map<String, T> named(Node.Mapping root, String key, BiFunction<String, Node, Optional<T>> reader) {
        Map<String, T> named = new LinkedHashMap<>();
        complaints.get(root, key, Node::mapping).ifPresent(mapping -> {
            if (mapping.entries().isEmpty()) {
                complaints.add(mapping, "must have at least one entry");
            }
            mapping.entries().forEach((name, value) -> {
                complaints.read(() -> name(value, name));
                reader.apply(name, value).ifPresent(read -> named.put(name, read));
            });
        });
        return named;
    }

    private static String name(Node node, String text) {
        if (!NAME.matcher(text).matches()) {
            throw node.at().wrong("a name is " + NAME + ", got '" + text + "'");
        }
        return text;
    }

    private static String gate(Node node) {
        String text = node.text();
        Optional<String> violation = GateName.violation(text);
        if (violation.isPresent()) {
            throw node.at().wrong(violation.get());
        }
        return text;
    }

    private static String device(Node node) {
        String text = node.text();
        DeviceSelector device = Complaints.valid(node, () -> DeviceSelector.parse(text));
        if (device instanceof DeviceSelector.Emulated) {
            throw node.at().wrong("must have times, which an emulated GPU has not, got " + node.shown());
        }
        return text;
    }

    private static double within(Node node, double most) {
        double value = node.decimal();
        if (!(value > 0 && value <= most)) {
            throw node.at().wrong("must be above 0 and at most " + (long) most + ", got " + node.shown());
        }
        return value;
    }

    private static int retuneSeconds(Node node) {
        double value = node.decimal();
        if (!(value >= Retune.LEAST_SECONDS && value <= Retune.MOST_SECONDS && value == Math.rint(value))) {
            throw node.at()
                    .wrong("must be a whole number from " + Retune.LEAST_SECONDS + " to " + Retune.MOST_SECONDS
                            + ", got " + node.shown());
        }
        return (int) value;
    }

    private Margins margins(Node node) {
        Node.Mapping mapping = complaints.only(node.mapping(), List.of("warn", "fail"));
        double warn = mapping.find("warn").map(Node::decimal).orElse(Margins.STANDARD.warn());
        double fail = mapping.find("fail").map(Node::decimal).orElse(Math.max(warn, Margins.STANDARD.fail()));
        return Complaints.valid(node, () -> new Margins(warn, fail));
    }

    private static List<String> rules(Node node) {
        List<String> rules = node.items().stream().map(Node::text).toList();
        Complaints.valid(node, () -> AcceptedRules.named(rules));
        return rules;
    }
}
