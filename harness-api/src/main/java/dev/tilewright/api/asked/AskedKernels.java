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
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.family.FamilySpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
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
    public record Place(String pointer, KernelRequest kernel) {}

    /**
     * What is asked of a device.
     *
     * @param sides the kernels, in the order of their places
     */
    public record Asked(DeviceSelector device, Problem problem, String family, List<GpuTask.Side> sides) {}

    /**
     * Reads the kernels of a request.
     *
     * @param problem {@code null} for that of a trial among them
     * @param family of configs; {@code null} for that of a trial among them, else that of the device
     * @param device a GPU; {@code null} for any
     * @param faults found so far
     * @throws ApiProblem 422 with everything that is wrong
     */
    public Asked read(
            @Nullable ProblemDocument problem,
            @Nullable String family,
            @Nullable String device,
            List<Place> places,
            List<Fault> faults) {
        Optional<DeviceSelector> selector = device(Objects.requireNonNullElse(device, "auto"), faults);
        List<Optional<TrialRow>> trialOfEach =
                places.stream().map(place -> trial(place, faults)).toList();
        List<TrialRow> named = trialOfEach.stream().flatMap(Optional::stream).toList();
        Optional<Problem> asked = problem(problem, named, faults);
        Optional<FamilySpace> chosen = choice.of(
                family != null || named.isEmpty() ? family : named.getFirst().family(), selector, faults);
        asked.flatMap(known -> chosen.flatMap(space -> space.refusal(known)))
                .ifPresent(refusal -> faults.add(new Fault("/problem", refusal)));
        if (!faults.isEmpty() || asked.isEmpty() || chosen.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        List<GpuTask.Side> sides = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            sides.add(side(places.get(i), trialOfEach.get(i), chosen.get(), asked.get(), faults));
        }
        if (!faults.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        return new Asked(selector.orElseThrow(), asked.get(), chosen.get().family(), List.copyOf(sides));
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

    private Optional<TrialRow> trial(Place place, List<Fault> faults) {
        KernelRequest side = place.kernel();
        long given = Stream.of(side.config(), side.trial(), side.peer())
                .filter(Objects::nonNull)
                .count();
        if (given != 1) {
            faults.add(new Fault(place.pointer(), "give one of config, trial and peer, got " + given));
        }
        if (side.algorithm() != null && side.peer() == null) {
            faults.add(new Fault(place.pointer() + "/algorithm", "is of a peer, and none is given"));
        }
        if (side.trial() == null) {
            return Optional.empty();
        }
        Optional<TrialRow> found = trials.find(side.trial());
        if (found.isEmpty()) {
            faults.add(new Fault(place.pointer() + "/trial", "there is no trial " + side.trial()));
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

    private GpuTask.Side side(
            Place at, Optional<TrialRow> trial, FamilySpace family, Problem problem, List<Fault> faults) {
        String pointer = at.pointer();
        KernelRequest side = at.kernel();
        if (side.peer() != null) {
            if (!family.peers().contains(side.peer())) {
                faults.add(new Fault(
                        pointer + "/peer",
                        "unknown peer '" + side.peer() + "'; family " + family.family() + " has "
                                + String.join(", ", family.peers())));
            }
            if (problem.scenario().launchOverlap()) {
                faults.add(
                        new Fault(pointer + "/peer", "cannot be asked for: no peer's launches can be made to overlap"));
            }
            return new GpuTask.Side.OfPeer(side.peer(), side.algorithm());
        }
        if (trial.isPresent() && !trial.get().family().equals(family.family())) {
            faults.add(new Fault(
                    pointer + "/trial",
                    "is of family " + trial.get().family() + ": all kernels of a request are of one family, here "
                            + family.family()));
        }
        Config config = trial.map(TrialRow::config).orElseGet(() -> Config.of(Objects.requireNonNull(side.config())));
        String place = pointer + (trial.isPresent() ? "/trial" : "/config");
        try {
            spaces.onUsualGpu(problem, family.family())
                    .violation(config)
                    .ifPresent(violation -> faults.add(new Fault(place, violation.toString())));
        } catch (IllegalArgumentException refused) {
            faults.add(new Fault(place, String.valueOf(refused.getMessage())));
        }
        return new GpuTask.Side.Own(config);
    }
}
