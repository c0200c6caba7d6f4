package dev.tilewright.launch.bundle;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.DocumentReader;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.Violation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Kernels of a user, the space of their configs, and the launch of each for each problem: {@code docs/bundles.md}. */
public final class Bundle {
    /** Families of bundles are named so. */
    public static final String FAMILY = "bundle:";

    private final BundleFiles files;
    private final KernelYaml document;
    private final String hash;

    Bundle(BundleFiles files, KernelYaml document) {
        this.files = files;
        this.document = document;
        hash = files.hash();
    }

    /** @throws BundleException naming file, position, value and rule */
    public static Bundle read(BundleFiles files) {
        String text = files.text(BundleFiles.DESCRIPTION);
        return described(() -> {
            Node.Mapping root = DocumentReader.read(text, false).mapping();
            return OneLaunch.is(root) ? OneLaunch.read(root, files) : new Bundle(files, BundleReader.read(root));
        });
    }

    private static <T> T described(java.util.function.Supplier<T> made) {
        try {
            return made.get();
        } catch (DocumentException wrong) {
            throw new BundleException(wrong.in(BundleFiles.DESCRIPTION).getMessage(), wrong);
        }
    }

    /** All that were read; of a folder with one launch only those that the launch needs. */
    public BundleFiles files() {
        return files;
    }

    /** SHA-256 of its files. */
    public String hash() {
        return hash;
    }

    /** Lower-case letters, digits and {@code -}. */
    public String name() {
        return document.name();
    }

    /** The name of the family that it is. */
    public String family() {
        return FAMILY + name();
    }

    public BundleProblem problem() {
        return document.problem();
    }

    public Epilogue epilogue() {
        return document.epilogue();
    }

    public List<BundleParameter> parameters() {
        return document.parameters();
    }

    public List<BundleConstraint> constraints() {
        return document.constraints();
    }

    /** Whether the launch comes from a program of the host. */
    public boolean hasHelper() {
        return document.helper().isPresent();
    }

    /** Number of all combinations of values, whether or not they keep the constraints. */
    public long points() {
        return parameters().stream()
                .mapToLong(parameter -> parameter.values().size())
                .reduce(1, Math::multiplyExact);
    }

    /** All configs that keep the constraints, the last parameter fastest; made as they are asked for. */
    public Stream<Config> configs(Problem problem, int sms) {
        return Stream.iterate(0L, index -> index < points(), index -> index + 1)
                .map(this::point)
                .filter(config -> violation(problem, sms, config).isEmpty());
    }

    private Config point(long index) {
        Map<String, ParameterValue> values = new TreeMap<>();
        long rest = index;
        for (BundleParameter parameter : parameters().reversed()) {
            int count = parameter.values().size();
            values.put(parameter.name(), parameter.values().get((int) (rest % count)));
            rest /= count;
        }
        return Config.of(values);
    }

    /**
     * The first constraint that a config breaks, if any; a missing, superfluous or unlisted value is a violation too.
     */
    public Optional<Violation> violation(Problem problem, int sms, Config config) {
        Optional<Violation> unlisted = unlisted(config);
        return unlisted.isPresent()
                ? unlisted
                : constraints().stream()
                        .flatMap(constraint -> constraint.broken(problem, sms, config).stream()
                                .map(reason ->
                                        new Violation(constraint.id(), reason, config.only(constraint.parameters()))))
                        .findFirst();
    }

    private Optional<Violation> unlisted(Config config) {
        List<String> known = new ArrayList<>();
        for (BundleParameter parameter : parameters()) {
            known.add(parameter.name());
            boolean given = config.has(parameter.name());
            if (!given || !parameter.values().contains(config.value(parameter.name()))) {
                String value = given ? config.value(parameter.name()).toString() : "nothing";
                return Optional.of(new Violation(
                        "values",
                        parameter.name() + " must be one of " + parameter.values() + ", got " + value,
                        config));
            }
        }
        return config.size() == known.size()
                ? Optional.empty()
                : Optional.of(new Violation("values", "the parameters are " + known, config));
    }

    private void requireListed(Config config) {
        unlisted(config).ifPresent(violation -> {
            throw new BundleException(violation.toString());
        });
    }

    /**
     * The kernel of a config.
     *
     * @throws BundleException if a file or its entry is missing, or the bundle has no such config
     */
    public BundleKernel kernel(Config config) {
        requireListed(config);
        return described(() -> document.kernel().in(document.definitions().scope(config), files));
    }

    /**
     * The launch of a config for a problem that the bundle takes. Its first expectation is the GEMM of the problem: it
     * says which buffers are A, B and D.
     *
     * @param sms of the GPU
     * @throws BundleException if the description is wrong, refuses the problem, or needs a host program
     */
    public LaunchDescription launch(Problem problem, int sms, Config config) {
        return launch(problem, sms, config, HelperProgram.Runner.NONE);
    }

    /**
     * The same where host programs may run.
     *
     * @throws BundleException if the description is wrong, or refuses the problem
     */
    public LaunchDescription launch(Problem problem, int sms, Config config, HelperProgram.Runner programs) {
        problem().refusal(problem).ifPresent(reason -> {
            throw new BundleException(family() + " " + reason);
        });
        requireListed(config);
        return described(() -> {
            LaunchTemplate template = program(problem, sms, config)
                    .map(program -> document.launch().with(said(program, programs)))
                    .orElse(document.launch());
            return template.in(document.definitions().scope(problem, sms, config), files::bytes);
        });
    }

    /** How many launches are recorded in it, whatever their problem. */
    public long launchesRecorded() {
        return files.names().stream()
                .filter(name -> name.startsWith(HelperProgram.RECORDS))
                .count();
    }

    /** Whether it needs no program of the host for a problem, at some number of SMs. */
    public boolean isRecorded(Problem problem) {
        String begins = HelperProgram.RECORDS + String.join(",", numbers(problem)) + ",";
        return files.names().stream().anyMatch(name -> name.startsWith(begins));
    }

    /**
     * The same bundle with what its host program prints for some problems, and without the program: nobody else needs
     * to run it.
     *
     * @param sms numbers of SMs of the GPUs that it is for
     * @throws BundleException if it has no such program, a problem has no config, there are too many launches, or one
     *     is wrong, or of a kernel that its file does not have
     */
    public Bundle recorded(List<Problem> problems, List<Integer> sms, HelperProgram.Runner programs) {
        String helper = document.helper()
                .orElseThrow(() -> new BundleException(family() + " has no 'helper' whose launches could be recorded"));
        Map<String, byte[]> kept = new TreeMap<>(files.contents());
        kept.keySet().removeIf(name -> name.startsWith(HelperProgram.RECORDS) || name.equals(helper));
        Bundle bare = new Bundle(BundleFiles.of(kept), document);
        List<Runnable> launches = new ArrayList<>();
        for (Problem problem : problems) {
            for (int count : sms) {
                // One more than there may be tells that there are too many.
                List<Config> configs = configs(problem, count)
                        .limit(BundleFiles.MOST_FILES + 1)
                        .toList();
                if (configs.isEmpty()) {
                    throw new BundleException(
                            "no config keeps the constraints for " + problem.shapes() + " on " + count + " SMs");
                }
                configs.forEach(config -> launches.add(() -> bare.launch(problem, count, config, program -> {
                    String text = programs.run(program);
                    kept.put(program.record(), text.getBytes(StandardCharsets.UTF_8));
                    return text;
                })));
            }
        }
        BundleFiles.requireWithin(
                "launches of " + helper + " in a bundle", launches.size(), BundleFiles.MOST_FILES - kept.size());
        // Who reads the zip has no program to change what is wrong with a launch.
        problems.stream()
                .flatMap(problem -> sms.stream().flatMap(count -> configs(problem, count)))
                .distinct()
                .forEach(bare::kernel);
        launches.forEach(Runnable::run);
        return Bundle.read(BundleFiles.of(kept));
    }

    private Optional<HelperProgram> program(Problem problem, int sms, Config config) {
        List<String> arguments = new ArrayList<>(numbers(problem));
        arguments.add("sms=" + sms);
        config.values().forEach((name, value) -> arguments.add(name + "=" + value));
        return document.helper().map(path -> new HelperProgram(path, arguments));
    }

    private static List<String> numbers(Problem problem) {
        return List.of(
                "m=" + problem.shape().m(),
                "n=" + problem.shape().n(),
                "k=" + problem.shape().k(),
                "batch=" + problem.batch());
    }

    private Node.Mapping said(HelperProgram program, HelperProgram.Runner programs) {
        String record = program.record();
        String text = files.has(record) ? files.text(record) : programs.run(program);
        try {
            return DocumentReader.read(text, text.stripLeading().startsWith("{"))
                    .mapping()
                    .only("grid", "block", "cluster", "dynamicShared", "buffers", "parameters", "expect");
        } catch (DocumentException nonsense) {
            throw new BundleException(
                    program.path() + " " + String.join(" ", program.arguments()) + ": printed no launch: "
                            + nonsense.getMessage(),
                    nonsense);
        }
    }
}
