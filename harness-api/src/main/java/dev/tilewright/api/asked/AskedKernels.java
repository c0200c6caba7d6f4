package dev.tilewright.api.asked;

import dev.tilewright.api.job.FamilyChoice;
import dev.tilewright.api.job.ProblemReader;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.trial.TrialRow;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.family.FamilySpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Checks what a request says of kernels in full: whatever a worker would refuse is refused here, all of it at once. */
@Service
public class AskedKernels {

    private final StudySpaces spaces;
    private final FamilyChoice choice;
    private final StudyRepository studies;
    private final TrialRepository trials;

    AskedKernels(StudySpaces spaces, FamilyChoice choice, StudyRepository studies, TrialRepository trials) {
        this.spaces = spaces;
        this.choice = choice;
        this.studies = studies;
        this.trials = trials;
    }

    /** A kernel, and where the request names it. */
    public record KernelAt(String pointer, KernelRequest kernel) {}

    /**
     * The request to a device.
     *
     * @param sides the kernels, in the order of the request
     */
    public record Resolved(DeviceSelector device, Problem problem, List<GpuTask.Side> sides) {}

    /**
     * A kernel of the request.
     *
     * @param trial that it is of, if it names one that there is
     * @param family whose config it is; empty of a peer's, and where something is wrong with it
     */
    private record Read(KernelAt at, Optional<TrialRow> trial, Optional<FamilySpace> family) {

        boolean isPeer() {
            return at.kernel().peer() != null;
        }

        String pointer() {
            return at.pointer();
        }

        Epilogue epilogue(Problem problem) {
            return family.map(known -> known.epilogue(problem)).orElse(problem.epilogue());
        }
    }

    /**
     * Reads the kernels of a request.
     *
     * @param problem {@code null} for that of a trial among them
     * @param device a GPU; {@code null} for any
     * @param faults found so far
     * @throws ApiProblem 422 with everything that is wrong
     */
    public Resolved read(
            @Nullable ProblemDocument problem, @Nullable String device, List<KernelAt> asks, List<Fault> faults) {
        Optional<DeviceSelector> selector = device(Objects.requireNonNullElse(device, "auto"), faults);
        List<Optional<TrialRow>> trialOfEach =
                asks.stream().map(at -> trial(at, faults)).toList();
        List<TrialRow> named = trialOfEach.stream().flatMap(Optional::stream).toList();
        Optional<Problem> asked = problem(problem, named, faults);
        List<Read> kernels = new ArrayList<>();
        for (int i = 0; i < asks.size(); i++) {
            kernels.add(new Read(
                    asks.get(i), trialOfEach.get(i), family(asks.get(i), trialOfEach.get(i), named, selector, faults)));
        }
        asked.ifPresent(known -> families(kernels).stream()
                .flatMap(family -> family.refusal(known).stream())
                .distinct()
                .forEach(refusal -> faults.add(new Fault("/problem", refusal))));
        requireOneArchitecture(kernels, faults);
        asked.ifPresent(known -> requireOneEpilogue(kernels, known, faults));
        if (!faults.isEmpty() || asked.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        List<GpuTask.Side> sides = new ArrayList<>();
        kernels.forEach(kernel -> side(kernel, asked.get(), faults).ifPresent(sides::add));
        ApiProblem.requireNone(faults);
        return new Resolved(selector.orElseThrow(), asked.get(), List.copyOf(sides));
    }

    private static List<FamilySpace> families(List<Read> kernels) {
        return kernels.stream().flatMap(kernel -> kernel.family().stream()).toList();
    }

    /** Empty of a peer's kernel, and where something is wrong with it. */
    private Optional<FamilySpace> family(
            KernelAt at,
            Optional<TrialRow> trial,
            List<TrialRow> named,
            Optional<DeviceSelector> selector,
            List<Fault> faults) {
        KernelRequest kernel = at.kernel();
        if (kernel.peer() != null || (kernel.trial() != null && trial.isEmpty()) || kernel.ways() != 1) {
            return Optional.empty();
        }
        if (trial.isPresent()) {
            return choice.timed(trial.get().trial().family(), selector, at.pointer() + "/trial", faults);
        }
        String usual = named.isEmpty() ? null : named.getFirst().trial().family();
        String own = kernel.family();
        try {
            own = kernel.config() == null
                    ? own
                    : ConfigText.of(spaces.families(), kernel.config().words()).family(own);
        } catch (IllegalArgumentException two) {
            faults.add(new Fault(at.pointer() + "/config", String.valueOf(two.getMessage())));
        }
        return choice.timed(own == null ? usual : own, selector, at.pointer() + "/family", faults);
    }

    /** All of them run on one GPU. */
    private static void requireOneArchitecture(List<Read> kernels, List<Fault> faults) {
        Read first = kernels.getFirst();
        for (Read other : kernels.subList(1, kernels.size())) {
            Optional<Architecture> one = first.family().flatMap(FamilySpace::architecture);
            Optional<Architecture> another = other.family().flatMap(FamilySpace::architecture);
            if (one.isPresent() && another.isPresent() && !one.equals(another)) {
                faults.add(new Fault(
                        other.pointer(),
                        "runs on " + another.get() + ", and the kernel of " + first.pointer() + " on " + one.get()
                                + ": no GPU runs both"));
            }
        }
    }

    /** All of them compute the same. */
    private static void requireOneEpilogue(List<Read> kernels, Problem problem, List<Fault> faults) {
        Read first = kernels.getFirst();
        for (Read other : kernels.subList(1, kernels.size())) {
            boolean known = (first.isPeer() || first.family().isPresent())
                    && (other.isPeer() || other.family().isPresent());
            if (known && !first.epilogue(problem).equals(other.epilogue(problem))) {
                faults.add(new Fault(
                        other.pointer(),
                        "computes something else than the kernel of " + first.pointer() + ": its epilogue is "
                                + other.epilogue(problem).said() + ", that of the other "
                                + first.epilogue(problem).said()));
            }
        }
    }

    private static Optional<DeviceSelector> device(String text, List<Fault> faults) {
        try {
            DeviceSelector device = DeviceSelector.parse(text);
            if (device instanceof DeviceSelector.OnCpu) {
                faults.add(new Fault(
                        "/device", "must be a GPU, such as cuda:0, or auto: kernels are timed, got '" + text + "'"));
            }
            return Optional.of(device);
        } catch (IllegalArgumentException unknown) {
            faults.add(new Fault("/device", String.valueOf(unknown.getMessage())));
            return Optional.empty();
        }
    }

    private Optional<TrialRow> trial(KernelAt at, List<Fault> faults) {
        KernelRequest side = at.kernel();
        if (side.ways() != 1) {
            faults.add(new Fault(at.pointer(), "give one of config, trial and peer, got " + side.ways()));
        }
        if (side.family() != null && (side.trial() != null || side.peer() != null)) {
            faults.add(new Fault(at.pointer() + "/family", "is that of a config, and none is given"));
        }
        if (side.algorithm() != null && side.peer() == null) {
            faults.add(new Fault(at.pointer() + "/algorithm", "is of a peer, and none is given"));
        }
        if (side.trial() == null) {
            return Optional.empty();
        }
        Optional<TrialRow> found = trials.find(side.trial());
        if (found.isEmpty()) {
            faults.add(new Fault(at.pointer() + "/trial", "there is no trial " + side.trial()));
        }
        return found;
    }

    private Optional<Problem> problem(@Nullable ProblemDocument document, List<TrialRow> named, List<Fault> faults) {
        if (document != null) {
            return new ProblemReader(faults).read(document, "/problem");
        }
        List<Problem> problems = named.stream()
                .map(trial -> studies.find(trial.studyId()).orElseThrow().problem())
                .distinct()
                .toList();
        if (problems.size() == 1) {
            return Optional.of(problems.getFirst());
        }
        faults.add(new Fault(
                "/problem",
                problems.isEmpty()
                        ? "is required where no trial is named"
                        : "is required: the trials are of two problems, " + problems.getFirst() + " and "
                                + problems.getLast()));
        return Optional.empty();
    }

    private Optional<GpuTask.Side> side(Read kernel, Problem problem, List<Fault> faults) {
        return kernel.family()
                .map(family -> own(kernel, family, problem, faults))
                .orElseGet(() -> Optional.of(peer(kernel, problem, faults)));
    }

    private GpuTask.Side peer(Read kernel, Problem problem, List<Fault> faults) {
        KernelRequest asked = kernel.at().kernel();
        String peer = Objects.requireNonNull(asked.peer());
        List<String> known = spaces.families().all().stream()
                .flatMap(family -> family.peers().stream())
                .distinct()
                .toList();
        if (!known.contains(peer)) {
            faults.add(new Fault(
                    kernel.pointer() + "/peer", "unknown peer '" + peer + "'; known: " + String.join(", ", known)));
        }
        if (problem.scenario().launchOverlap()) {
            faults.add(new Fault(
                    kernel.pointer() + "/peer", "cannot be asked for: no peer's launches can be made to overlap"));
        }
        if (asked.slowedBy() != null) {
            faults.add(new Fault(
                    kernel.pointer() + "/slowedBy",
                    "is of a kernel whose text is known, to put a wait in front: that of peer " + peer + " is not"));
        }
        return new GpuTask.Side.OfPeer(peer, asked.algorithm());
    }

    private Optional<GpuTask.Side> own(Read kernel, FamilySpace family, Problem problem, List<Fault> faults) {
        KernelRequest asked = kernel.at().kernel();
        String field = kernel.pointer() + (kernel.trial().isPresent() ? "/trial" : "/config");
        Double slowedBy = asked.slowedBy();
        if (slowedBy != null && !(slowedBy > 0 && slowedBy <= GpuTask.Side.Own.MOST_SLOWED)) {
            faults.add(new Fault(
                    kernel.pointer() + "/slowedBy",
                    "must be more than 0 and at most " + GpuTask.Side.Own.MOST_SLOWED + ", got " + slowedBy));
            return Optional.empty();
        }
        Long wait = asked.waitSteps();
        if (wait != null && (slowedBy == null || wait < 1 || wait > GpuTask.Side.Own.MOST_WAIT)) {
            faults.add(new Fault(
                    kernel.pointer() + "/waitSteps",
                    "must be 1 to " + GpuTask.Side.Own.MOST_WAIT + ", of a kernel with slowedBy, got " + wait));
            return Optional.empty();
        }
        try {
            AskedSpace space = spaces.askedOnUsualGpu(problem, family.family());
            SearchSpace searched = space.searched();
            if (kernel.trial().isEmpty() && asked.config() == null && searched.points() != 1) {
                faults.add(new Fault(
                        field,
                        "is required: " + family.family() + " has " + searched.points() + " configs, of "
                                + searched.parameters().stream()
                                        .map(Parameter::name)
                                        .collect(Collectors.joining(", "))));
                return Optional.empty();
            }
            Config config = kernel.trial()
                    .map(row -> row.trial().config())
                    .orElseGet(() -> asked.config() == null
                            ? searched.point(0)
                            : space.read(ConfigText.of(
                                            spaces.families(), asked.config().words())
                                    .words()));
            Optional<Violation> wrong = space.violation(config);
            wrong.ifPresent(violation -> faults.add(new Fault(field, violation.toString())));
            if (wrong.isEmpty() && slowedBy != null) {
                family.withoutText(config)
                        .ifPresent(reason -> faults.add(new Fault(kernel.pointer() + "/slowedBy", reason)));
            }
            return Optional.of(new GpuTask.Side.Own(family.family(), config, slowedBy, wait));
        } catch (IllegalArgumentException refused) {
            faults.add(new Fault(field, String.valueOf(refused.getMessage())));
            return Optional.empty();
        }
    }
}
