package dev.tilewright.api.web.trial;

import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.api.web.OccupancyMap;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.text.Count;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.text.Mark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trial as its page shows it.
 *
 * @param marks the parts of its config in words, those without a word behind
 * @param look of its outcome
 * @param map {@code null} if it was not traced
 * @param phases what the time of the trial went to, longest first
 */
public record TrialView(
        UUID id,
        UUID studyId,
        int ordinal,
        String problem,
        String config,
        String settings,
        List<Mark> marks,
        String outcome,
        String look,
        @Nullable String model,
        @Nullable String rate,
        List<Sample> samples,
        List<Fact> resources,
        List<Fact> scheduler,
        @Nullable OccupancyMap map,
        List<Fact> phases,
        @Nullable String verdict,
        @Nullable String finding,
        @Nullable String log) {

    /** A name and its value. */
    public record Fact(String name, String value) {}

    /** A measurement with all that belongs to it. */
    public record Sample(
            String stage,
            String mode,
            String rate,
            String bandwidth,
            String roofline,
            String time,
            String interval,
            String blocks,
            String clock,
            String power,
            String temperature,
            String toAnchor) {}

    static TrialView of(TrialDocument trial, StudyRow study, ConfigWords words) {
        SchedulerEvidence evidence = trial.evidence();
        Testbed testbed = study.testbed();
        return new TrialView(
                trial.id(),
                study.id(),
                trial.ordinal(),
                ProblemDocument.of(study.problem()).toString(),
                words.brief(trial.config()),
                words.options(trial.config()),
                words.explained(trial.config()).stream()
                        .sorted(Comparator.comparing(mark -> mark.meaning().isEmpty()))
                        .toList(),
                trial.outcome() == null
                        ? trial.state().toString()
                        : trial.outcome().toString(),
                look(trial.outcome()),
                TestbedKind.SIMULATED.isOf(testbed) ? Figures.model(testbed) : null,
                trial.tflops() == null ? null : Figures.tflops(trial.tflops()),
                trial.measurements().stream()
                        .map(each -> sample(each.measurement(), each.tflops(), study))
                        .toList(),
                resources(trial, study),
                evidence == null ? List.of() : scheduler(evidence),
                evidence == null ? null : OccupancyMap.of(evidence, trial.config()),
                phases(trial),
                trial.checked() == null
                        ? null
                        : trial.checked().verdict() + " by the emulator, "
                                + Figures.count(trial.checked().seeds(), "seed") + ", "
                                + trial.checked().sms() + " SMs, run shape "
                                + trial.checked().runShape(),
                trial.checked() == null || trial.checked().finding().isBlank()
                        ? null
                        : trial.checked().finding(),
                trial.log() == null || trial.log().isBlank() ? null : trial.log());
    }

    private static String look(@Nullable TrialOutcome outcome) {
        return outcome == null ? "running" : outcome == TrialOutcome.COMPLETED ? "completed" : "failed";
    }

    private static Sample sample(Measurement measurement, double tflops, StudyRow study) {
        double ns = measurement.medianNs();
        return new Sample(
                measurement.stage().toString(),
                measurement.mode().toString(),
                Figures.tflops(tflops),
                Figures.bandwidth(study.problem(), ns),
                Figures.roofline(study.testbed(), study.problem(), ns),
                Figures.us(ns),
                Figures.interval(measurement.ciLowNs(), measurement.ciHighNs()),
                Figures.count(measurement.blocks(), "block") + ", "
                        + Count.of(measurement.launches(), "launch", "launches"),
                Figures.megahertz(measurement.smClockMhz()),
                Figures.watts(measurement.powerWatts()),
                Figures.celsius(measurement.temperatureCelsius()),
                Figures.ratio(measurement.ratioToAnchor()));
    }

    private static List<Fact> resources(TrialDocument trial, StudyRow study) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Kernel family", trial.family()));
        if (study.testbed() != null) {
            facts.add(new Fact(
                    "Testbed", study.testbed().device() + ", " + study.testbed().driver()));
            facts.add(new Fact("Assembler", study.testbed().assembler()));
        }
        if (trial.executed() != null) {
            facts.add(new Fact(
                    "Launch, as it was executed",
                    trial.executed().gridX() + " CTAs of " + trial.executed().threads() + " threads, clusters of "
                            + trial.executed().clusterSize()));
        }
        add(
                facts,
                "Registers of a thread",
                trial.registers() == null ? null : trial.registers().toString());
        add(facts, "Spilled", trial.spillBytes() == null ? null : Figures.bytes(trial.spillBytes()));
        add(facts, "Shared memory of a CTA", trial.sharedBytes() == null ? null : Figures.bytes(trial.sharedBytes()));
        add(
                facts,
                "Error ratio, at most 1 is right",
                trial.errorRatio() == null ? null : Figures.format("%.3f", trial.errorRatio()));
        add(facts, "PTX, SHA-256", trial.ptxHash());
        add(facts, "Cubin, SHA-256", trial.cubinHash());
        facts.add(new Fact("Attempts", Integer.toString(trial.attempts())));
        facts.add(new Fact("Ended", Figures.moment(trial.finishedAt())));
        return facts;
    }

    private static void add(List<Fact> facts, String name, @Nullable String value) {
        if (value != null) {
            facts.add(new Fact(name, value));
        }
    }

    private static List<Fact> scheduler(SchedulerEvidence evidence) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Idle tail, of the SMs' time", Figures.percent(evidence.idleTailFraction())));
        if (!evidence.stealsPerCluster().isEmpty()) {
            facts.add(new Fact("Tiles a cluster got by asking", Figures.range(evidence.stealsPerCluster())));
        }
        if (evidence.failedQueries() != null) {
            facts.add(new Fact(
                    "Queries answered without a tile", evidence.failedQueries().toString()));
        }
        if (!evidence.heldSms().isEmpty()) {
            facts.add(new Fact(
                    "SMs held by others", Integer.toString(evidence.heldSms().size())));
        }
        return facts;
    }

    private static List<Fact> phases(TrialDocument trial) {
        return trial.timesNs() == null
                ? List.of()
                : trial.timesNs().entrySet().stream()
                        .filter(phase -> !GpuTime.isOfGpu(phase.getKey()))
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .map(phase -> new Fact(phase.getKey(), Figures.duration(phase.getValue())))
                        .toList();
    }
}
