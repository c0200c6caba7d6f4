package dev.tilewright.api.comparison;

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

/** Checks a request in full: whatever a worker would refuse is refused here, all of it at once. */
@Service
class ComparisonReader {

    private static final long SEED = 1;

    private final StudySpaces spaces;
    private final FamilyChoice choice;
    private final StudyRepository studies;
    private final TrialRepository trials;

    ComparisonReader(StudySpaces spaces, FamilyChoice choice, StudyRepository studies, TrialRepository trials) {
        this.spaces = spaces;
        this.choice = choice;
        this.studies = studies;
        this.trials = trials;
    }

    /** What is asked of a device. */
    record Asked(DeviceSelector device, GpuTask.Compare task) {}

    /** @throws ApiProblem 422 with everything that is wrong */
    Asked read(ComparisonRequest request) {
        List<Fault> faults = new ArrayList<>();
        Optional<DeviceSelector> device = device(Objects.requireNonNullElse(request.device(), "auto"), faults);
        Optional<TrialRow> first = trial("/first", request.first(), faults);
        Optional<TrialRow> second = trial("/second", request.second(), faults);
        List<TrialRow> named =
                Stream.of(first, second).flatMap(Optional::stream).toList();
        Optional<Problem> problem = problem(request, named, faults);
        Optional<FamilySpace> family = choice.of(family(request, named), device, faults);
        problem.flatMap(asked -> family.flatMap(known -> known.refusal(asked)))
                .ifPresent(refusal -> faults.add(new Fault("/problem", refusal)));
        if (!faults.isEmpty() || problem.isEmpty() || family.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        Optional<GpuTask.Side> one = side("/first", request.first(), first, family.get(), problem.get(), faults);
        Optional<GpuTask.Side> other = side("/second", request.second(), second, family.get(), problem.get(), faults);
        if (!faults.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        return new Asked(
                device.orElseThrow(),
                new GpuTask.Compare(
                        problem.get(),
                        family.get().family(),
                        one.orElseThrow(),
                        other.orElseThrow(),
                        Boolean.TRUE.equals(request.measureEqual()),
                        Objects.requireNonNullElse(request.seed(), SEED)));
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

    private Optional<TrialRow> trial(String pointer, ComparisonRequest.SideRequest side, List<Fault> faults) {
        long given = Stream.of(side.config(), side.trial(), side.peer())
                .filter(Objects::nonNull)
                .count();
        if (given != 1) {
            faults.add(new Fault(pointer, "give one of config, trial and peer, got " + given));
        }
        if (side.algorithm() != null && side.peer() == null) {
            faults.add(new Fault(pointer + "/algorithm", "is of a peer, and none is given"));
        }
        if (side.trial() == null) {
            return Optional.empty();
        }
        Optional<TrialRow> found = trials.find(side.trial());
        if (found.isEmpty()) {
            faults.add(new Fault(pointer + "/trial", "there is no trial " + side.trial()));
        }
        return found;
    }

    private Optional<Problem> problem(ComparisonRequest request, List<TrialRow> named, List<Fault> faults) {
        if (request.problem() != null) {
            return new ProblemReader(faults).read(request.problem(), "/problem");
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

    private static @Nullable String family(ComparisonRequest request, List<TrialRow> named) {
        return request.family() != null || named.isEmpty()
                ? request.family()
                : named.getFirst().family();
    }

    private Optional<GpuTask.Side> side(
            String pointer,
            ComparisonRequest.SideRequest side,
            Optional<TrialRow> trial,
            FamilySpace family,
            Problem problem,
            List<Fault> faults) {
        if (side.peer() != null) {
            if (!family.peers().contains(side.peer())) {
                faults.add(new Fault(
                        pointer + "/peer",
                        "unknown peer '" + side.peer() + "'; family " + family.family() + " has "
                                + String.join(", ", family.peers())));
            }
            return Optional.of(new GpuTask.Side.OfPeer(side.peer(), side.algorithm()));
        }
        if (trial.isPresent() && !trial.get().family().equals(family.family())) {
            faults.add(new Fault(
                    pointer + "/trial",
                    "is of family " + trial.get().family() + ": both kernels are of one family, here "
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
        return Optional.of(new GpuTask.Side.Own(config));
    }
}
