package dev.tilewright.worker.agent.trial;

import dev.tilewright.launch.writer.LaunchWriter;
import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.agent.compile.Assembly;
import dev.tilewright.worker.agent.compile.AssemblyResult;
import dev.tilewright.worker.agent.compile.CompilePool;
import dev.tilewright.worker.agent.device.PreparedKernel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Makes cubins from configs, ahead of the device. */
public final class KernelWorkshop {

    private final KernelSource source;
    private final CompilePool pool;
    private final Executor builders;

    /** @param builders threads on which modules are built and validated */
    public KernelWorkshop(KernelSource source, CompilePool pool, Executor builders) {
        this.source = source;
        this.pool = pool;
        this.builders = builders;
    }

    /**
     * Builds, validates and assembles. Completes exceptionally only because of a bug.
     *
     * @param withTwin whether the traced twin is made too
     */
    public CompletableFuture<Preparation> prepare(
            BuiltKernel wanted, Problem problem, DeviceLimits limits, boolean withTwin) {
        CompletableFuture<Assembled> assembled = CompletableFuture.supplyAsync(
                        () -> build(wanted, problem, limits, false), builders)
                .thenCompose(this::assemble);
        if (!withTwin) {
            return assembled.thenApply(done -> preparation(problem, done, null));
        }
        CompletableFuture<Assembled> twin = CompletableFuture.supplyAsync(
                        () -> build(wanted, problem, limits, true), builders)
                .thenCompose(this::assemble);
        return assembled.thenCombine(twin, (done, beside) -> preparation(problem, done, beside));
    }

    /** A kernel with its launch, or why there is none. */
    private sealed interface Built {
        long buildNs();

        record Text(KernelSource.Written kernel, long buildNs) implements Built {}

        record Binary(KernelSource.Brought kernel, long buildNs) implements Built {}

        record Library(KernelSource.OfLibrary kernel, long buildNs) implements Built {}

        record Refused(String log, long buildNs) implements Built {}

        static Built of(KernelSource.Made made, long buildNs) {
            return switch (made) {
                case KernelSource.Written text -> new Text(text, buildNs);
                case KernelSource.Brought binary -> new Binary(binary, buildNs);
                case KernelSource.OfLibrary algorithm -> new Library(algorithm, buildNs);
            };
        }
    }

    private Built build(BuiltKernel wanted, Problem problem, DeviceLimits limits, boolean traced) {
        long start = System.nanoTime();
        try {
            KernelSource.Made kernel = source.kernel(wanted.family(), problem, wanted.config(), limits, traced);
            requireScenario(problem, kernel);
            return Built.of(wanted.delayed() ? kernel.delayed() : kernel, System.nanoTime() - start);
        } catch (IllegalArgumentException | IllegalStateException cannotBeBuilt) {
            return new Built.Refused(String.valueOf(cannotBeBuilt.getMessage()), System.nanoTime() - start);
        }
    }

    /** Overlapped launches and others are two questions, whose times never meet. */
    private static void requireScenario(Problem problem, KernelSource.Made kernel) {
        boolean asked = problem.scenario().launchOverlap();
        if (kernel.launchOverlap() != asked) {
            throw new IllegalArgumentException("launches of the kernel " + (asked ? "follow each other" : "overlap")
                    + ", the scenario has launchOverlap = " + asked);
        }
    }

    private record Assembled(Built built, @Nullable AssemblyResult result, long assembleNs) {

        Map<String, Long> timesNs() {
            return Map.of("build", built.buildNs(), "assemble", assembleNs);
        }
    }

    private CompletableFuture<Assembled> assemble(Built built) {
        return switch (built) {
            case Built.Refused refused -> CompletableFuture.completedFuture(new Assembled(refused, null, 0));
            case Built.Binary binary -> CompletableFuture.completedFuture(new Assembled(binary, null, 0));
            case Built.Library algorithm -> CompletableFuture.completedFuture(new Assembled(algorithm, null, 0));
            case Built.Text text -> {
                long start = System.nanoTime();
                yield pool.assemble(text.kernel().ptx(), text.kernel().target())
                        .thenApply(result -> new Assembled(text, result, System.nanoTime() - start));
            }
        };
    }

    private static Preparation preparation(Problem problem, Assembled assembled, @Nullable Assembled twin) {
        return switch (assembled.built()) {
            case Built.Refused(String log, long _) ->
                new Preparation.Failed(TrialOutcome.BUILD, assembled.timesNs(), log);
            case Built.Text text -> judge(assembled, text, twin);
            case Built.Library(KernelSource.OfLibrary kernel, long _) ->
                new Preparation.Ready(
                        new PreparedKernel.OfLibrary(kernel.family(), kernel.config(), problem),
                        null,
                        null,
                        assembled.timesNs(),
                        "");
            case Built.Binary(KernelSource.Brought kernel, long _) ->
                new Preparation.Ready(
                        PreparedKernel.Built.brought(
                                kernel.launch(),
                                Assembly.brought(kernel.cubin()),
                                kernel.compiledFor(),
                                kernel.bundle()),
                        null,
                        null,
                        assembled.timesNs(),
                        "not proved: " + kernel.file() + " is a cubin");
        };
    }

    private static Preparation judge(Assembled assembled, Built.Text text, @Nullable Assembled twin) {
        Map<String, Long> times = assembled.timesNs();
        AssemblyResult result = assembled.result();
        return switch (result) {
            case null -> throw new IllegalStateException("a text without a result");
            case AssemblyResult.Refused(String log) -> new Preparation.Failed(TrialOutcome.COMPILE, times, log);
            case AssemblyResult.Overdue(var limit) ->
                new Preparation.Failed(
                        TrialOutcome.COMPILE,
                        times,
                        "the assembler was killed: not done with the text after " + limit.toMillis() / 1e3 + " s");
            case AssemblyResult.Unsupported(String reason) ->
                new Preparation.Unassembled(prepared(text, null), times, reason);
            case AssemblyResult.Broken(String reason) ->
                new Preparation.Failed(TrialOutcome.INFRASTRUCTURE, times, reason);
            case AssemblyResult.Assembled(Assembly assembly) -> {
                PreparedKernel kernel = told(text, assembly);
                // Of our own kernels these are faults of the text. What others bring is timed as it is.
                boolean own = text.kernel().bundle() == null;
                if (own && !assembly.alarms().isEmpty()) {
                    yield new Preparation.Failed(
                            TrialOutcome.COMPILE, kernel, null, times, String.join("\n", assembly.alarms()));
                }
                if (own && assembly.spillBytes() > 0) {
                    yield new Preparation.Failed(
                            TrialOutcome.SPILL,
                            kernel,
                            null,
                            times,
                            assembly.spillBytes() + " bytes of spill stores and loads at " + assembly.registers()
                                    + " registers");
                }
                yield ready(kernel, twin, times);
            }
        };
    }

    /** A twin that cannot be had costs the evidence, not the trial. */
    private static Preparation ready(PreparedKernel kernel, @Nullable Assembled twin, Map<String, Long> times) {
        if (twin == null) {
            return new Preparation.Ready(kernel, null, null, times, "");
        }
        if (twin.built() instanceof Built.Text text
                && twin.result() instanceof AssemblyResult.Assembled(Assembly assembly)) {
            return new Preparation.Ready(kernel, prepared(text, assembly), null, times, "");
        }
        String why = twin.built() instanceof Built.Refused(String log, long _) ? log : String.valueOf(twin.result());
        return new Preparation.Ready(kernel, null, null, times, "no traced twin: " + why);
    }

    /** With all that is told of it. */
    private static PreparedKernel.Built told(Built.Text text, Assembly assembly) {
        byte[] launch = LaunchWriter.json(text.kernel().launch()).getBytes(StandardCharsets.UTF_8);
        byte[] ptx = text.kernel().ptx().getBytes(StandardCharsets.UTF_8);
        Optional<KernelFiles> files = KernelFiles.packed(ptx, assembly.cubin().bytes(), launch);
        PreparedKernel.Built kernel = prepared(text, assembly);
        return new PreparedKernel.Built(
                kernel.launch(), assembly, kernel.hash(), files.orElse(null), kernel.bundle(), null);
    }

    private static PreparedKernel.Built prepared(Built.Text text, @Nullable Assembly assembly) {
        KernelSource.Written kernel = text.kernel();
        return new PreparedKernel.Built(
                kernel.launch(), assembly, Sha256.hex(kernel.ptx()), null, kernel.bundle(), null);
    }
}
