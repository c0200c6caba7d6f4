package dev.tilewright.worker.cli;

import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.Violation;
import dev.tilewright.proof.ConfigSample;
import dev.tilewright.proof.Proof;
import dev.tilewright.proof.ProofDocument;
import dev.tilewright.proof.ProofTally;
import dev.tilewright.proof.Prover;
import dev.tilewright.proof.Subject;
import dev.tilewright.proof.TimedProof;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.export.KernelExport;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.worker.cli.board.CompactConfig;
import dev.tilewright.worker.cli.board.FamilyConfig;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code check}: proves configs or a kernel file on the emulator; needs neither a GPU nor a service. */
@Command(
        name = "check",
        description = {
            "Prove configs of a family, or the kernel of a PTX file, on an emulated GPU; or show where they are wrong.",
            "Exit code: 0 all proved, 1 one is wrong, 2 wrong options, 3 one is shallow or unsupported."
        })
public final class CheckCommand implements Callable<Integer> {

    private static final int DEFAULT_TRIALS = 8;
    /** The limit on configs of one call. More of them take too long, and many more do not fit into memory. */
    private static final int MAX_CONFIGS = 100_000;

    private static final int HASH_DIGITS = 8;

    @Mixin
    private KernelFileOptions file = new KernelFileOptions();

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description = "Kernel family: ${COMPLETION-CANDIDATES} (default: the first).")
    private @Nullable String family;

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            split = ",",
            splitSynopsisLabel = ",",
            completionCandidates = KnownNames.OfSchedulers.class,
            description =
                    "Tile schedulers to check: ${COMPLETION-CANDIDATES}, as far as the family has them (default: all"
                            + " of them).")
    private List<String> schedulers = new ArrayList<>();

    @Option(
            names = "--set",
            paramLabel = "NAME=V[,V...]",
            completionCandidates = KnownNames.OfParameters.class,
            description = "Check only these values of a parameter, such as scheduler=static,atomic; repeatable."
                    + KnownNames.PARAMETERS)
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = ConfigText.LABEL,
            description = "Check this config, in the words of boards or as NAME=V; what is missing has its default.")
    private @Nullable String config;

    @Option(
            names = "--trials",
            paramLabel = "N",
            description = "Configs to draw for each shape (default: " + DEFAULT_TRIALS + ").")
    private @Nullable Integer trials;

    @Option(names = "--all", description = "Check every valid config.")
    private boolean all;

    @Mixin
    private ProofOptions proof = new ProofOptions();

    @Option(names = "--threads", paramLabel = "N", description = "Configs checked at a time (default: all cores).")
    private @Nullable Integer threads;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result document to this file.")
    private @Nullable Path jsonFile;

    @Option(
            names = "--export",
            paramLabel = "DIR",
            description = "Write every config that is checked to this folder, as NAME.ptx and its launch NAME.yaml.")
    private @Nullable Path export;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final GemmFamilies families;
    private final Supplier<Terminal> terminal;
    private final Clock clock;
    private final Printer out;

    /**
     * @param terminal where progress is shown; asked for when a check begins
     * @param out verdicts as they come, then the summary
     */
    public CheckCommand(GemmFamilies families, Supplier<Terminal> terminal, Clock clock, Printer out) {
        this.families = families;
        this.terminal = terminal;
        this.clock = clock;
        this.out = out;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Optional<Path> kernel = file.kernel(proof);
        return (kernel.isPresent() ? checkFile(kernel.get()) : checkConfigs()).code();
    }

    private ExitCode checkFile(Path kernel) throws IOException {
        optionsOfConfigs().findFirst().ifPresent(option -> {
            throw CommandFailedException.usage(
                    option + ": is for configs of a family, got the file " + kernel + " beside");
        });
        if (file.skeleton()) {
            return KernelFileCheck.skeleton(kernel, file.entry(), out);
        }
        ProofPlan plan = plan();
        Syntax.requireWritable("--json", jsonFile);
        CheckLines lines = new CheckLines(line());
        return new KernelFileCheck(out, lines, file.dumps())
                .run(kernel, file.launch(kernel), file.entry(), plan, proof.run(lines), jsonFile);
    }

    private RedrawnLine line() {
        return new RedrawnLine(spec.commandLine().getErr(), terminal.get(), clock);
    }

    /** The given options that only go with configs. */
    private Stream<String> optionsOfConfigs() {
        Map<String, Boolean> given = new LinkedHashMap<>(problems.given());
        given.put("--family", family != null);
        given.put("--scheduler", !schedulers.isEmpty());
        given.put("--set", !settings.isEmpty());
        given.put("--config", config != null);
        given.put("--trials", trials != null);
        given.put("--all", all);
        given.put("--threads", threads != null);
        given.put("--export", export != null);
        return given.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey);
    }

    private ExitCode checkConfigs() throws InterruptedException, IOException {
        ProofPlan plan = plan();
        if (config != null) {
            family = ConfigOption.alone(
                    config, family, Map.of("--set", !settings.isEmpty(), "--scheduler", !schedulers.isEmpty()));
        }
        String name = family == null ? families.spaces().usual().family() : family;
        int atATime = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        Syntax.requireWritable("--json", jsonFile);
        Syntax.requireFolder("--export", export);
        List<ConfigCheck.Candidate> candidates = candidates(name, plan);
        ProofLines lines = new ProofLines(CompactConfig.of(candidates.stream()
                .map(candidate -> new FamilyConfig(name, candidate.config()))
                .toList()));
        Instant start = clock.instant();
        List<TimedProof> proofs = new ConfigCheck(new Prover(families), name, plan, atATime, clock)
                .run(candidates, new ProofsSeen(candidates.size(), lines, out, line()));
        double seconds = Duration.between(start, clock.instant()).toNanos() / 1e9;
        if (jsonFile != null) {
            ProofDocument document =
                    ProofDocument.of(name, problems.types(), problems.majors(), plan, proofs, seconds, atATime);
            Json.writeAtomically(jsonFile, Json.pretty().writeValueAsBytes(document));
        }
        if (export != null) {
            export(export, name, proofs, DeviceLimits.of(plan.sms()));
        }
        out.println(ProofLines.summary(proofs, plan, seconds, atATime));
        return exit(proofs.stream().map(TimedProof::proof).toList());
    }

    /** Each with the problem that was run, which may be smaller than the one asked for. */
    private void export(Path directory, String family, List<TimedProof> proofs, DeviceLimits limits)
            throws IOException {
        for (TimedProof timed : proofs) {
            Subject subject = timed.proof().subject();
            String name = family + "-" + subject.run().shapes().replaceAll("[ +()]+", "-") + "-"
                    + subject.config().hash().substring(0, HASH_DIGITS);
            KernelExport.of(families.named(family), subject.run(), subject.config(), limits)
                    .write(directory, name);
            out.println("written: " + directory.resolve(name) + ".ptx and .yaml");
        }
    }

    private static ExitCode exit(List<Proof> proofs) {
        ProofTally tally = ProofTally.of(proofs);
        if (tally.refuted() > 0) {
            return ExitCode.NEGATIVE;
        }
        return tally.proved() == tally.all() ? ExitCode.OK : ExitCode.INCONCLUSIVE;
    }

    private ProofPlan plan() {
        Syntax.requirePositive("--trials", trials);
        Syntax.requirePositive("--threads", threads);
        if (all && trials != null) {
            throw CommandFailedException.usage(
                    "--all: checks every config, so that --trials " + trials + " has no meaning");
        }
        return proof.plan();
    }

    private List<ConfigCheck.Candidate> candidates(String family, ProofPlan plan) {
        ProblemOptions.Asked asked = problems.asked(", or a file KERNEL.ptx", Optional.empty());
        FamilySpace space =
                Syntax.read("--family", family, name -> families.named(name).space());
        List<ConfigCheck.Candidate> candidates = new ArrayList<>();
        for (ProblemOptions.Named named : asked.singles()) {
            Problem problem = named.problem();
            requireComputed(space, problem, named.option());
            for (Config config : configs(space, problem, plan)) {
                candidates.add(new ConfigCheck.Candidate(problem, config));
            }
        }
        asked.ranges().forEach(range -> candidates.addAll(candidates(space, range, plan)));
        return candidates;
    }

    private static void requireComputed(FamilySpace family, Problem problem, String option) {
        family.refusal(problem).ifPresent(reason -> {
            throw CommandFailedException.usage(option + ": " + reason);
        });
    }

    private List<ConfigCheck.Candidate> candidates(
            FamilySpace family, ProblemOptions.NamedRange named, ProofPlan plan) {
        if (all) {
            throw CommandFailedException.usage(
                    "--all: is for shapes, got the range " + named.problem().range());
        }
        RangeCheck check = RangeCheck.of(named.problem(), plan);
        check.problems().forEach(problem -> requireComputed(family, problem, named.option()));
        out.println(check.said());
        DeviceLimits limits = DeviceLimits.of(plan.sms());
        return check.candidates(
                problem -> family.kernels(problem, limits),
                problem -> restricted(family, problem, limits),
                trials == null ? DEFAULT_TRIALS : trials);
    }

    private List<Config> configs(FamilySpace family, Problem problem, ProofPlan plan) {
        DeviceLimits limits = DeviceLimits.of(plan.sms());
        SpaceTree space = SpaceTree.of(restricted(family, problem, limits));
        List<Config> configs = all
                ? space.configs().limit(MAX_CONFIGS + 1L).toList()
                : ConfigSample.of(space, trials == null ? DEFAULT_TRIALS : trials, plan.seed());
        if (configs.size() > MAX_CONFIGS) {
            throw CommandFailedException.usage("--all: " + problem.shapes() + " has more than " + MAX_CONFIGS
                    + " configs; narrow them with --set");
        }
        if (configs.isEmpty()) {
            throw CommandFailedException.usage("no config of " + family.family() + " is left for " + problem.shapes()
                    + " on " + plan.gpu() + ": " + why(space));
        }
        return configs;
    }

    private SearchSpace restricted(FamilySpace family, Problem problem, DeviceLimits limits) {
        if (config != null) {
            return ConfigOption.only(AskedSpace.of(family, problem, limits), config);
        }
        SearchSpace whole = family.space(problem, limits);
        Map<String, List<ParameterValue>> set = Syntax.settings("--set", settings);
        SearchSpace space = Syntax.read("--set", "", _ -> whole.restrict(set));
        if (schedulers.isEmpty()) {
            return space;
        }
        if (set.containsKey(Scheduler.KEY.name())) {
            throw CommandFailedException.usage(
                    "--scheduler: parameter '" + Scheduler.KEY.name() + "' is given by --set too");
        }
        List<ParameterValue> chosen =
                schedulers.stream().map(ParameterValue::of).toList();
        return Syntax.read("--scheduler", "", _ -> {
            try {
                return space.restrict(Map.of(Scheduler.KEY.name(), chosen));
            } catch (IllegalArgumentException unknown) {
                throw new IllegalArgumentException(unknown.getMessage() + elsewhere(chosen, problem, limits), unknown);
            }
        });
    }

    /** Families that have the schedulers, such as clc, which only Blackwell has. */
    private String elsewhere(List<ParameterValue> chosen, Problem problem, DeviceLimits limits) {
        String others = families.all().stream()
                .map(GemmFamily::space)
                .filter(other -> other.refusal(problem).isEmpty())
                .filter(other -> other.space(problem, limits).parameters().stream()
                        .anyMatch(parameter -> parameter.name().equals(Scheduler.KEY.name())
                                && parameter.values().containsAll(chosen)))
                .map(FamilySpace::family)
                .collect(Collectors.joining(", "));
        return others.isEmpty() ? "" : "; family " + others + " has " + (chosen.size() == 1 ? "it" : "all of them");
    }

    /** The rules that refuse what all others have left, each by an example. */
    private static String why(SpaceTree space) {
        return space.emptiedBy().stream().map(Violation::toString).collect(Collectors.joining("; "));
    }
}
