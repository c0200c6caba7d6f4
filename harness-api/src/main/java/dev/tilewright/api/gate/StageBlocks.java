package dev.tilewright.api.gate;

import dev.tilewright.gate.decision.PairedBlock;
import dev.tilewright.gate.document.GateBlocks;
import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Discard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one stage, between what a worker reports, what is stored and what decides.
 *
 * @param doubts why they are not to be trusted; often empty
 */
record StageBlocks(GateBlocks.Columns columns, List<Discard> discards, List<String> doubts) {

    StageBlocks {
        discards = List.copyOf(discards);
        doubts = List.copyOf(doubts);
    }

    /** Pairs the runs of a report: each block has one of each side. */
    static StageBlocks of(GpuTaskResult.Compared compared, List<String> doubts) {
        Map<Integer, Report.Block> candidates =
                arm(compared.blocks(), compared.first().name());
        Map<Integer, Report.Block> baselines =
                arm(compared.blocks(), compared.second().name());
        candidates.keySet().retainAll(baselines.keySet());
        List<Report.Block> first = List.copyOf(candidates.values());
        List<Report.Block> second =
                candidates.keySet().stream().map(baselines::get).toList();
        List<Boolean> candidateFirst = new ArrayList<>();
        List<@Nullable Double> watts = new ArrayList<>();
        List<@Nullable Double> celsius = new ArrayList<>();
        List<Long> reasons = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            Report.Block one = first.get(i);
            Report.Block other = second.get(i);
            candidateFirst.add(one.position() < other.position());
            watts.add(mean(one.powerWatts(), other.powerWatts()));
            celsius.add(mean(one.temperatureCelsius(), other.temperatureCelsius()));
            reasons.add(one.throttleReasons() | other.throttleReasons());
        }
        return new StageBlocks(
                new GateBlocks.Columns(
                        first.stream().map(Report.Block::index).toList(),
                        candidateFirst,
                        first.stream().map(Report.Block::launchNs).toList(),
                        second.stream().map(Report.Block::launchNs).toList(),
                        clocks(first),
                        clocks(second),
                        watts,
                        celsius,
                        reasons),
                compared.discards(),
                doubts);
    }

    private static Map<Integer, Report.Block> arm(List<Report.Block> runs, String name) {
        Map<Integer, Report.Block> arm = new TreeMap<>();
        runs.stream().filter(run -> run.arm().equals(name)).forEach(run -> arm.put(run.index(), run));
        return arm;
    }

    private static List<@Nullable Double> clocks(List<Report.Block> runs) {
        List<@Nullable Double> clocks = new ArrayList<>();
        runs.forEach(run -> clocks.add(run.smClockMhz()));
        return clocks;
    }

    private static @Nullable Double mean(@Nullable Double one, @Nullable Double other) {
        return one == null || other == null ? null : Double.valueOf((one + other) / 2);
    }

    /** As the rules want them. */
    List<PairedBlock> pairs() {
        List<PairedBlock> pairs = new ArrayList<>();
        for (int i = 0; i < columns.index().size(); i++) {
            pairs.add(new PairedBlock(
                    columns.index().get(i),
                    columns.candidateFirst().get(i),
                    columns.candidateNs().get(i),
                    columns.baselineNs().get(i),
                    columns.candidateMhz().get(i),
                    columns.baselineMhz().get(i)));
        }
        return pairs;
    }

    /** Time of a launch of the baseline; {@code null} if none was timed. */
    @Nullable
    Double baselineNs() {
        return median(columns.baselineNs()).orElse(null);
    }

    private static Optional<Double> median(List<Double> times) {
        return times.isEmpty()
                ? Optional.empty()
                : Optional.of(Quantiles.median(
                        times.stream().mapToDouble(Double::doubleValue).toArray()));
    }
}
