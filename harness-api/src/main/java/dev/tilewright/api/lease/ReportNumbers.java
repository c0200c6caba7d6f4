package dev.tilewright.api.lease;

import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a report: each is what such a number can be at all. That they are finite was seen when the request was
 * read.
 *
 * @param faults to which those are added that were found
 */
record ReportNumbers(List<Fault> faults) {

    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    /** No launch of a kernel is as long. */
    private static final double LONGEST_LAUNCH_NS = TimeUnit.DAYS.toNanos(1);

    /**
     * Longest phase that a report may charge a trial with; an idle runner may have waited long for its first request.
     */
    private static final long LONGEST_PHASE_NS = TimeUnit.DAYS.toNanos(365);

    private static final double ABSOLUTE_ZERO_CELSIUS = -273.15;

    /** Estimate and interval come from sums that were rounded apart. */
    private static final double ROUNDING = 1e-9;

    void screened(TrialResult result) {
        notNegative("/result/errorRatio", result.errorRatio());
        measurements("/result", result.measurements());
        compilation(result.compilation());
        executed(result.executed());
        evidence(result.evidence());
        checked(result.checked());
        times("/result/timesNs", result.timesNs());
    }

    void times(String pointer, Map<String, Long> timesNs) {
        timesNs.forEach((phase, ns) -> within(pointer + "/" + phase, 0, LONGEST_PHASE_NS, ns));
    }

    void finished(FinalResult result) {
        for (int i = 0; i < result.arms().size(); i++) {
            Report.Arm arm = result.arms().get(i);
            notNegative("/arms/" + i + "/errorRatio", arm.errorRatio());
            measurements("/arms/" + i, arm.measurements());
        }
        blocks("/blocks", result.blocks());
        times("/timesNs", result.timesNs());
        for (int i = 0; i < result.ratios().size(); i++) {
            ratio("/ratios/" + i + "/ratio", result.ratios().get(i).ratio());
        }
    }

    private void measurements(String pointer, List<Measurement> measurements) {
        for (int i = 0; i < measurements.size(); i++) {
            measurement(pointer + "/measurements/" + i, measurements.get(i));
        }
    }

    void measurement(String pointer, Measurement measurement) {
        launch(pointer + "/medianNs", measurement.medianNs());
        Double low = measurement.ciLowNs();
        Double high = measurement.ciHighNs();
        if ((low == null) != (high == null)) {
            add(pointer + "/ciLowNs", "both ends of the interval or none, got " + low + " and " + high);
        } else if (low != null && high != null) {
            launch(pointer + "/ciLowNs", low);
            launch(pointer + "/ciHighNs", high);
            if (!ordered(low, measurement.medianNs(), high)) {
                add(
                        pointer + "/ciLowNs",
                        "the interval must have the median " + measurement.medianNs() + " in it, got [" + low + ", "
                                + high + "]");
            }
        }
        gpuState(pointer, measurement.smClockMhz(), measurement.powerWatts(), measurement.temperatureCelsius());
        Ratio toAnchor = measurement.ratioToAnchor();
        if (toAnchor != null) {
            ratio(pointer + "/ratioToAnchor", toAnchor);
        }
    }

    void blocks(String pointer, List<Report.Block> blocks) {
        for (int i = 0; i < blocks.size(); i++) {
            block(pointer + "/" + i, blocks.get(i));
        }
    }

    private void block(String pointer, Report.Block block) {
        atLeast(pointer + "/index", 0, block.index());
        atLeast(pointer + "/position", 0, block.position());
        launch(pointer + "/launchNs", block.launchNs());
        gpuState(pointer, block.smClockMhz(), block.powerWatts(), block.temperatureCelsius());
        atLeast(pointer + "/throttleReasons", 0, block.throttleReasons());
    }

    void ratio(String pointer, Ratio ratio) {
        if (!(ratio.low() > 0 && ordered(ratio.low(), ratio.value(), ratio.high()))) {
            add(pointer, "must be positive with low <= value <= high, got " + ratio);
        }
        atLeast(pointer + "/blocks", 1, ratio.blocks());
    }

    private void gpuState(String pointer, @Nullable Double clockMhz, @Nullable Double watts, @Nullable Double celsius) {
        if (clockMhz != null && !(clockMhz > 0)) {
            add(pointer + "/smClockMhz", "must be positive, got " + clockMhz);
        }
        notNegative(pointer + "/powerWatts", watts);
        if (celsius != null && celsius < ABSOLUTE_ZERO_CELSIUS) {
            add(pointer + "/temperatureCelsius", "must be at least " + ABSOLUTE_ZERO_CELSIUS + ", got " + celsius);
        }
    }

    private void compilation(@Nullable Compilation compilation) {
        if (compilation != null) {
            atLeast("/result/compilation/registers", 0, compilation.registers());
            atLeast("/result/compilation/spillBytes", 0, compilation.spillBytes());
            atLeast("/result/compilation/sharedBytes", 0, compilation.sharedBytes());
            hash("/result/compilation/ptxHash", compilation.ptxHash());
            hash("/result/compilation/cubinHash", compilation.cubinHash());
        }
    }

    private void executed(@Nullable Executed executed) {
        if (executed != null) {
            atLeast("/result/executed/gridX", 1, executed.gridX());
            atLeast("/result/executed/clusterSize", 1, executed.clusterSize());
            atLeast("/result/executed/threads", 1, executed.threads());
        }
    }

    private void evidence(@Nullable SchedulerEvidence evidence) {
        if (evidence == null) {
            return;
        }
        eachNotNegative("/result/evidence/tilesPerSm", evidence.tilesPerSm());
        eachNotNegative("/result/evidence/firstStartNs", evidence.firstStartNs());
        eachNotNegative("/result/evidence/lastEndNs", evidence.lastEndNs());
        eachNotNegative("/result/evidence/stealsPerCluster", evidence.stealsPerCluster());
        eachNotNegative("/result/evidence/heldSms", evidence.heldSms());
        Double idle = evidence.idleTailFraction();
        if (idle != null && !(idle >= 0 && idle <= 1)) {
            add("/result/evidence/idleTailFraction", "must be from 0 to 1, got " + idle);
        }
        Double slowdown = evidence.tracedSlowdown();
        if (slowdown != null && !(slowdown > 0)) {
            add("/result/evidence/tracedSlowdown", "must be positive, got " + slowdown);
        }
        if (evidence.failedQueries() != null) {
            atLeast("/result/evidence/failedQueries", 0, evidence.failedQueries());
        }
        if (evidence.tileNs() != null) {
            tileTimes(evidence, evidence.tileNs());
        }
    }

    /** They say the same as the rest of the evidence, and no more than is kept. */
    private void tileTimes(SchedulerEvidence evidence, List<List<Long>> tileNs) {
        String pointer = "/result/evidence/tileNs";
        int sms = evidence.tilesPerSm().size();
        if (tileNs.size() != sms
                || evidence.firstStartNs().size() != sms
                || evidence.lastEndNs().size() != sms) {
            add(
                    pointer,
                    "must have an entry for each of " + sms + " SMs, as firstStartNs and lastEndNs, got "
                            + tileNs.size());
            return;
        }
        int tiles = tileNs.stream().mapToInt(List::size).sum() / 2;
        if (tiles > TileTimes.MOST) {
            add(pointer, "must be null where there are more than " + TileTimes.MOST + " tiles, got " + tiles);
            return;
        }
        for (int sm = 0; sm < sms; sm++) {
            List<Long> times = tileNs.get(sm);
            if (times.size() % 2 != 0
                    || times.size() / 2 < evidence.tilesPerSm().get(sm)) {
                add(
                        pointer + "/" + sm,
                        "must have a start and an end for each of "
                                + evidence.tilesPerSm().get(sm) + " tiles, got " + times.size() + " times");
                return;
            }
            long earliest = evidence.firstStartNs().get(sm);
            for (int i = 0; i < times.size(); i += 2) {
                within(pointer + "/" + sm + "/" + i, earliest, times.get(i + 1), times.get(i));
                within(
                        pointer + "/" + sm + "/" + (i + 1),
                        times.get(i),
                        evidence.lastEndNs().get(sm),
                        times.get(i + 1));
                earliest = times.get(i);
            }
        }
    }

    private void checked(@Nullable Checked checked) {
        if (checked != null) {
            boolean settled = checked.verdict().isConclusive();
            int least = settled ? 1 : 0;
            if (settled && !outcomes(checked.verdict()).contains(checked.outcome())) {
                add(
                        "/result/checked/outcome",
                        "must be one of " + outcomes(checked.verdict()) + " where the verdict is " + checked.verdict()
                                + ", got " + checked.outcome());
            }
            if (checked.verdict() == Verdict.REFUTED && checked.finding().isBlank()) {
                add("/result/checked/finding", "a refutation says what was found");
            }
            if (settled && checked.runShape() == null) {
                add("/result/checked/runShape", "is required: a check that settles something has run something");
            }
            atLeast("/result/checked/sms", least, checked.sms());
            atLeast("/result/checked/seeds", least, checked.seeds());
            atLeast("/result/checked/steps", 0, checked.steps());
            notNegative("/result/checked/errorRatio", checked.errorRatio());
            hash("/result/checked/emulator", checked.emulator());
        }
    }

    private static List<TrialOutcome> outcomes(Verdict verdict) {
        return verdict == Verdict.PROVED
                ? List.of(TrialOutcome.COMPLETED)
                : List.of(TrialOutcome.HAZARD, TrialOutcome.MISMATCH);
    }

    private void launch(String pointer, double ns) {
        if (!(ns > 0 && ns <= LONGEST_LAUNCH_NS)) {
            add(pointer, "must be positive and at most " + LONGEST_LAUNCH_NS + " ns, which is a day, got " + ns);
        }
    }

    private static boolean ordered(double low, double value, double high) {
        return low <= high && low <= value * (1 + ROUNDING) && value <= high * (1 + ROUNDING);
    }

    private void eachNotNegative(String pointer, List<? extends Number> numbers) {
        for (int i = 0; i < numbers.size(); i++) {
            atLeast(pointer + "/" + i, 0, numbers.get(i).longValue());
        }
    }

    void notNegative(String pointer, @Nullable Double number) {
        if (number != null && !(number >= 0)) {
            add(pointer, "must be at least 0, got " + number);
        }
    }

    private void atLeast(String pointer, long least, long number) {
        within(pointer, least, Long.MAX_VALUE, number);
    }

    private void within(String pointer, long least, long most, long number) {
        if (number < least || number > most) {
            add(
                    pointer,
                    "must be at least " + least + (most == Long.MAX_VALUE ? "" : " and at most " + most) + ", got "
                            + number);
        }
    }

    private void hash(String pointer, String text) {
        if (!SHA_256.matcher(text).matches()) {
            add(pointer, "must be 64 hexadecimal digits in lower case, got '" + text + "'");
        }
    }

    private void add(String pointer, String detail) {
        faults.add(new Fault(pointer, detail));
    }
}
