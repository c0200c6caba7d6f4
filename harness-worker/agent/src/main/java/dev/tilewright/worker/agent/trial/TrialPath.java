package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.agent.check.RequiredCheck;
import dev.tilewright.worker.agent.check.Ruling;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedKernel;
import dev.tilewright.worker.agent.device.PreparedTrial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * From a lease to a report, in two steps: {@link #begin} prepares ahead of the device, {@link #finish} uses the device.
 */
public final class TrialPath {

    private static final System.Logger LOG = System.getLogger(TrialPath.class.getName());

    /** Finalists are verified and timed on other data than their screens were. */
    private static final long FRESH_DATA = 0xF17A_15F1_7A15_F17AL;

    private final Families spaces;
    private final LeaseAdmission admission;
    private final KernelWorkshop workshop;
    private final Device device;
    private final RequiredCheck requiredCheck;
    private final AnchorKernels anchors = new AnchorKernels();
    private final SweepWaits waits = new SweepWaits();

    /**
     * @param familyBuild id of the build of the kernel families in this process
     * @param requiredCheck asked where a lease wants a check
     */
    public TrialPath(
            Families spaces, String familyBuild, KernelWorkshop workshop, Device device, RequiredCheck requiredCheck) {
        this.spaces = spaces;
        this.admission = new LeaseAdmission(spaces, familyBuild, device);
        this.workshop = workshop;
        this.device = device;
        this.requiredCheck = requiredCheck;
    }

    /** Starts to build, assemble and check everything that the lease needs; returns at once. */
    public Begun begin(Lease lease) {
        long from = System.nanoTime();
        if (lease.studyId() != null) {
            waits.arrived(lease.studyId(), from);
        }
        Optional<String> refusal = admission.refusal(lease);
        if (refusal.isPresent()) {
            return Begun.refused(lease, refusal.get());
        }
        Map<BuiltKernel, CompletableFuture<Preparation>> kernels = new HashMap<>();
        for (BuiltKernel kernel : kernels(lease)) {
            kernels.computeIfAbsent(
                    kernel,
                    wanted -> prepare(
                            lease,
                            wanted,
                            lease.work() instanceof Work.Screen
                                    && device.needsTracedTwin()
                                    && !spaces.isInstalled(wanted.family())));
        }
        return Begun.of(lease, kernels, anchor(lease), rivals(lease), from);
    }

    private @Nullable CompletableFuture<Preparation> anchor(Lease lease) {
        Config config = switch (lease.work()) {
            case Work.Screen screen -> screen.anchor();
            case Work.Final last -> last.anchor();
            case Work.Run _ -> null;
        };
        if (config == null) {
            return null;
        }
        BuiltKernel kernel = new BuiltKernel(lease.family(), config);
        return anchors.get(
                kernel.family(), lease.problem(), config, lease.check(), () -> prepare(lease, kernel, false));
    }

    private Rivals rivals(Lease lease) {
        return lease.work() instanceof Work.Final last
                ? Rivals.begun(lease, last, spaces, device.limits(), kernel -> prepare(lease, kernel, false))
                : Rivals.NONE;
    }

    private CompletableFuture<Preparation> prepare(Lease lease, BuiltKernel kernel, boolean withTwin) {
        boolean elsewhere = lease.work() instanceof Work.Screen screen && screen.foundElsewhere();
        Optional<Violation> violation =
                elsewhere ? admission.broken(kernel, lease.problem()) : admission.violation(kernel, lease.problem());
        if (violation.isPresent()) {
            return CompletableFuture.completedFuture(new Preparation.Failed(
                    TrialOutcome.PRUNED, Map.of(), violation.get().toString()));
        }
        CompletableFuture<Preparation> made = workshop.prepare(kernel, lease.problem(), device.limits(), withTwin)
                .thenApply(ready -> fitting(lease, ready));
        boolean check = lease.check() || lease.work() instanceof Work.Run(GpuTask.Compare compare) && compare.proved();
        return check && !device.proves() ? made.thenCompose(ready -> checked(lease, kernel, ready)) : made;
    }

    private Preparation fitting(Lease lease, Preparation preparation) {
        return preparation instanceof Preparation.Ready ready
                ? device.refusal(lease.problem(), ready.kernel())
                        .<Preparation>map(reason -> new Preparation.Failed(
                                TrialOutcome.BUILD, ready.kernel(), null, ready.timesNs(), reason))
                        .orElse(ready)
                : preparation;
    }

    private CompletableFuture<Preparation> checked(Lease lease, BuiltKernel kernel, Preparation preparation) {
        if (!(preparation instanceof Preparation.Ready ready)) {
            return CompletableFuture.completedFuture(preparation);
        }
        if (ready.kernel() instanceof PreparedKernel.OfLibrary(String family, Config _, String _)) {
            return CompletableFuture.completedFuture(unproved(lease, family, ready));
        }
        long start = System.nanoTime();
        PreparedTrial trial = new PreparedTrial(
                kernel.family(),
                lease.problem(),
                kernel.config(),
                ready.kernel(),
                null,
                null,
                lease.seed(),
                accepted(lease));
        return requiredCheck.check(trial).thenApply(ruling -> {
            Map<String, Long> times = new HashMap<>(ready.timesNs());
            times.put("check", System.nanoTime() - start);
            return switch (ruling) {
                case Ruling.Passed(Checked proof) ->
                    new Preparation.Ready(ready.kernel(), ready.traced(), proof, times, ready.log());
                case Ruling.Stopped(TrialOutcome _, Checked found, String log)
                when lease.work() instanceof Work.Run && (found == null || found.verdict() != Verdict.REFUTED) ->
                    // What could not be proved is said; that a kernel of a task computes the right thing shows on the
                    // GPU.
                    new Preparation.Ready(ready.kernel(), ready.traced(), found, times, log);
                case Ruling.Stopped(TrialOutcome outcome, Checked found, String log) ->
                    new Preparation.Failed(outcome, ready.kernel(), found, times, log);
            };
        });
    }

    /** A kernel of a library has no text: a task says so, and a study that wants its kernels proved does not run it. */
    private static Preparation unproved(Lease lease, String family, Preparation.Ready ready) {
        String why = "not proved: " + FamilySpace.noText(family);
        return lease.work() instanceof Work.Run
                ? new Preparation.Ready(ready.kernel(), null, null, ready.timesNs(), why)
                : new Preparation.Failed(TrialOutcome.PRUNED, ready.timesNs(), why);
    }

    /** Rules of the emulator that kernels may break: a study holds its kernels to every one. */
    private static List<String> accepted(Lease lease) {
        return lease.work() instanceof Work.Run(GpuTask.Compare compare) ? compare.accept() : List.of();
    }

    private static List<BuiltKernel> kernels(Lease lease) {
        return switch (lease.work()) {
            case Work.Screen screen -> List.of(new BuiltKernel(lease.family(), screen.config()));
            case Work.Final last ->
                last.contenders().stream()
                        .map(contender -> new BuiltKernel(lease.family(), contender.config()))
                        .toList();
            case Work.Run(GpuTask task) -> task.kernels();
        };
    }

    /**
     * Has the device make the data of a trial whose kernel is not there yet; no kernel reaches it.
     *
     * @throws DeviceUnusableException if the device is out of order; the lease is still to be given back
     */
    public void expect(Begun begun) throws DeviceUnusableException {
        Lease lease = begun.lease();
        if (begun.refusal() == null && lease.work() instanceof Work.Screen screen && !begun.isMade(screen.config())) {
            device.expect(lease.problem(), lease.seed());
        }
    }

    /**
     * Waits for the kernels, runs them and says what came of it. Tells the device which trial comes next, if its
     * kernels are there.
     *
     * @param next what is to be finished after it, in this order
     * @param raced called when the race of a final is over; returns at once
     * @throws DeviceUnusableException if the device is out of order; the lease is still to be given back
     */
    public Report finish(Begun begun, List<Begun> next, Runnable raced) throws DeviceUnusableException {
        Lease lease = begun.lease();
        if (begun.refusal() != null) {
            return new Report.Refused(lease.fence(), begun.refusal());
        }
        return switch (lease.work()) {
            case Work.Screen screen -> {
                Preparation kernel = begun.kernel(screen.config());
                if (kernel instanceof Preparation.Ready) {
                    // Only what is run waits for the anchor, too.
                    begun.making().until().join();
                }
                long ranAt = System.nanoTime();
                yield new Report.Screened(
                        lease.fence(),
                        waits.accounted(screened(begun, screen, kernel, next), begun, ranAt),
                        files(kernel));
            }
            case Work.Final last -> finished(lease, last, begun, raced);
            case Work.Run(GpuTask task) -> new Report.Ran(lease.fence(), ran(task, begun));
        };
    }

    private static @Nullable KernelFiles files(Preparation preparation) {
        return switch (preparation) {
            case Preparation.Ready ready -> ready.kernel().files();
            case Preparation.Failed(TrialResult _, KernelFiles files) -> files;
            case Preparation.Unassembled _ -> null;
        };
    }

    /** Work on another lease begins: what {@link #abandon} said is over. */
    public void renew() {
        device.renew();
    }

    /** The GPU of the device, as NVML writes its UUID; empty if it is none. */
    public Optional<String> uuid() {
        return device.uuid();
    }

    /** The next trial has waited so many nanoseconds for other processes that measured on its GPU. */
    public void waited(long ns) {
        waits.kept(ns);
    }

    /**
     * Ends the work of {@link #finish}, which is wanted no more; it may end at once by a {@link CancellationException}.
     */
    public void abandon() {
        device.abandon();
    }

    private TrialResult screened(Begun begun, Work.Screen screen, Preparation preparation, List<Begun> next)
            throws DeviceUnusableException {
        Lease lease = begun.lease();
        return switch (preparation) {
            case Preparation.Failed(TrialResult result, var _) -> result;
            case Preparation.Unassembled(PreparedKernel kernel, var _, String log)
            when device.proves() ->
                whole(
                        preparation,
                        null,
                        run(trial(lease, screen.config(), kernel, null, Anchor.NONE), lease.check(), next),
                        log);
            case Preparation.Unassembled(var _, var _, String log) ->
                whole(preparation, null, TrialResult.failed(TrialOutcome.UNASSEMBLED, log), "");
            case Preparation.Ready ready -> {
                Anchor anchor = Anchor.of(begun);
                yield whole(
                        ready,
                        ready.compilation(),
                        run(trial(lease, screen.config(), ready.kernel(), ready.traced(), anchor), lease.check(), next),
                        (ready.log() + "\n" + anchor.log()).strip());
            }
        };
    }

    /** A trial is timed without its anchor where that could not be made, and says so. */
    private record Anchor(@Nullable PreparedKernel kernel, String log) {

        static final Anchor NONE = new Anchor(null, "");

        static Anchor of(Begun begun) {
            return switch (begun.anchor() == null ? null : begun.anchor().join()) {
                case null -> NONE;
                case Preparation.Ready ready -> new Anchor(ready.kernel(), "");
                case Preparation.Unassembled(var _, var _, String log) -> without(log);
                case Preparation.Failed(TrialResult result, var _) -> without(result.outcome() + ": " + result.log());
            };
        }

        private static Anchor without(String reason) {
            return new Anchor(null, "timed without the anchor: " + reason);
        }
    }

    private static PreparedTrial trial(
            Lease lease, Config config, PreparedKernel kernel, @Nullable PreparedKernel traced, Anchor anchor) {
        return new PreparedTrial(
                lease.family(), lease.problem(), config, kernel, traced, anchor.kernel(), lease.seed(), List.of());
    }

    private TrialResult run(PreparedTrial trial, boolean check, List<Begun> next) throws DeviceUnusableException {
        TrialResult result = device.run(trial, upcoming(next));
        if (check && result.checked() != null) {
            requiredCheck.keep(trial, result.checked());
        }
        return result;
    }

    /** The first trial that the leases come to; {@code null} where that cannot be known yet. */
    private static @Nullable PreparedTrial upcoming(List<Begun> next) {
        for (Begun begun : next) {
            Lease lease = begun.lease();
            if (!(lease.work() instanceof Work.Screen screen) || !begun.isMade(screen.config())) {
                return null;
            }
            if (begun.kernel(screen.config()) instanceof Preparation.Ready ready) {
                return trial(lease, screen.config(), ready.kernel(), ready.traced(), Anchor.of(begun));
            }
        }
        return null;
    }

    /** The result of the device, with the steps before it. */
    private static TrialResult whole(
            Preparation preparation, @Nullable Compilation compilation, TrialResult result, String log) {
        Map<String, Long> times = new HashMap<>(preparation.timesNs());
        times.putAll(result.timesNs());
        return new TrialResult(
                result.outcome(),
                result.errorRatio(),
                compilation,
                result.executed(),
                result.measurements(),
                result.evidence(),
                result.checked() == null ? preparation.checked() : result.checked(),
                times,
                (log + "\n" + result.log()).strip());
    }

    private Report finished(Lease lease, Work.Final work, Begun begun, Runnable raced) throws DeviceUnusableException {
        long start = System.nanoTime();
        List<PreparedFinal.Arm> arms = new ArrayList<>();
        List<Report.Arm> lost = new ArrayList<>();
        for (Work.Contender contender : work.contenders()) {
            UUID id = contender.trialId();
            switch (begun.kernel(contender.config())) {
                case Preparation.Ready ready ->
                    arms.add(new PreparedFinal.Arm(
                            id, contender.team(), lease.family(), contender.config(), ready.kernel()));
                case Preparation.Failed(TrialResult result, var _) ->
                    lost.add(lost(lease, contender, result.outcome(), result.log()));
                case Preparation.Unassembled(var _, var _, String log) ->
                    lost.add(lost(lease, contender, TrialOutcome.UNASSEMBLED, log));
            }
        }
        Anchor anchor = Anchor.of(begun);
        Rivals.Ready rivals = begun.rivals().ready(lease, device);
        long prepared = System.nanoTime();
        FinalResult result = device.runFinal(
                new PreparedFinal(
                        lease.problem(),
                        arms,
                        work.finalists(),
                        anchor.kernel(),
                        begun.rivals().others(),
                        rivals.kernels(),
                        lease.seed() ^ FRESH_DATA,
                        work.peerSeconds()),
                raced);
        String account = new FinalAccount(prepared - start, System.nanoTime() - start, result.timesNs()).line();
        LOG.log(System.Logger.Level.INFO, account);
        List<Report.Arm> all = Stream.of(result.arms(), lost, rivals.lost())
                .flatMap(List::stream)
                .toList();
        String log = String.join(
                        "\n",
                        Stream.of(List.of(anchor.log()), rivals.log(), List.of(result.log(), account))
                                .flatMap(List::stream)
                                .toList())
                .strip();
        return new Report.Finished(lease.fence(), result.withArms(all).withLog(log));
    }

    private GpuTaskResult ran(GpuTask task, Begun begun) throws DeviceUnusableException {
        // A comparison says what came of the texts; every other task is done, or not.
        return task instanceof GpuTask.Compare compare
                ? new ComparedTexts(compare, begun).ran(device)
                : new BuiltTask(task, begun).ran(device);
    }

    private static Report.Arm lost(Lease lease, Work.Contender contender, TrialOutcome outcome, String log) {
        return Report.Arm.failed(contender.trialId(), lease.family(), contender.config(), outcome, log);
    }
}
