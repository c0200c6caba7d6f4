package dev.tilewright.api.lease;

import dev.tilewright.api.study.Standing;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.trial.TrialRow;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Parameter;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/** Chooses who enters the final: the fastest screens of kernels that really differ. */
@Service
class Finalists {

    private static final int MOST = 4;

    private final TrialRepository trials;
    private final MeasurementRepository measurements;
    private final StudySpaces spaces;

    Finalists(TrialRepository trials, MeasurementRepository measurements, StudySpaces spaces) {
        this.trials = trials;
        this.measurements = measurements;
        this.spaces = spaces;
    }

    private record Candidate(TrialRow trial, double medianNs) {}

    /** At most four completed trials, fastest first. Two configs with one text and one launch are the same kernel. */
    List<Work.Finalist> of(StudyRow study) {
        Map<UUID, List<Measurement>> measured = measurements.byTrial(study.id());
        List<String> launchParameters = spaces.space(study).names(Parameter.Kind.LAUNCH);
        List<Candidate> ranked = trials.after(study.id(), -1, Integer.MAX_VALUE).stream()
                .filter(trial -> trial.outcome() == TrialOutcome.COMPLETED)
                .flatMap(trial -> Standing.lastSustained(measured.getOrDefault(trial.id(), List.of()))
                        .map(measurement -> new Candidate(trial, measurement.medianNs()))
                        .stream())
                .sorted(Comparator.comparingDouble(Candidate::medianNs)
                        .thenComparing(candidate -> candidate.trial().ordinal()))
                .toList();
        Set<String> kernels = new HashSet<>();
        List<Work.Finalist> finalists = new ArrayList<>();
        for (Candidate candidate : ranked) {
            if (finalists.size() < MOST && kernels.add(kernel(candidate.trial(), launchParameters))) {
                finalists.add(new Work.Finalist(
                        candidate.trial().id(), candidate.trial().config()));
            }
        }
        return finalists;
    }

    private static String kernel(TrialRow trial, List<String> launchParameters) {
        Compilation compilation = trial.compilation();
        if (compilation == null) {
            return trial.config().canonical();
        }
        return compilation.ptxHash()
                + launchParameters.stream()
                        .map(name -> " " + name + "=" + trial.config().value(name))
                        .collect(Collectors.joining());
    }
}
