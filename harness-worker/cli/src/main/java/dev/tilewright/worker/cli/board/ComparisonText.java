package dev.tilewright.worker.cli.board;

import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.model.exchange.ComparisonDocument;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.GpuTaskResult.ComparedSide;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.text.Count;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.space.families.Families;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A comparison as text for the terminal: both kernels, the verdict with its interval, and its blocks.
 *
 * @param asked the comparison
 * @param compared its result
 */
public record ComparisonText(ComparisonDocument asked, Compared compared) implements Board {

    /** All of it. */
    @Override
    public List<String> lines(int width) {
        List<FamilyConfig> configs = Stream.of(asked.first(), asked.second())
                .flatMap(side -> side instanceof GpuTask.Side.Own own
                        ? Stream.of(new FamilyConfig(own.family(), own.config()))
                        : Stream.empty())
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add("first:   " + side(asked.first(), compared.first(), configs));
        lines.add("second:  " + side(asked.second(), compared.second(), configs));
        if (!configs.isEmpty()) {
            lines.addAll(Legend.of(CompactConfig.of(configs), configs).lines(width));
        }
        lines.add("verdict: " + verdict());
        double[] percents = percents();
        if (percents.length > 0) {
            lines.add("how much faster the first was in each of " + percents.length + " blocks:");
            lines.addAll(BlockPlot.lines(percents, width));
        }
        lines.addAll(discards());
        compared.log().lines().forEach(lines::add);
        compared.neighbours().forEach(line -> lines.add("beside it: " + line));
        return lines;
    }

    private String side(GpuTask.Side side, ComparedSide of, List<FamilyConfig> configs) {
        String name = switch (side) {
            case GpuTask.Side.Own own -> own(own, configs);
            case GpuTask.Side.OfPeer _ -> of.name();
        };
        List<Report.Block> blocks = compared.blocks().stream()
                .filter(block -> block.arm().equals(of.name()))
                .toList();
        String fault =
                of.log().isBlank() ? "" : "; " + of.outcome() + ": " + of.log().strip();
        return name + (blocks.isEmpty() ? "" : "; " + times(blocks)) + fault;
    }

    /** The family is said where both are not of one. */
    private static String own(GpuTask.Side.Own side, List<FamilyConfig> configs) {
        String config = CompactConfig.of(configs).format(new FamilyConfig(side.family(), side.config()));
        boolean known = configs.stream().allMatch(each -> side.family().equals(each.family()))
                && Families.standard().names().contains(side.family());
        String slowed =
                side.slowedBy() == null ? "" : String.format(Locale.ROOT, ", slowed by %.4g %%", 100 * side.slowedBy());
        return ((known ? "" : side.family() + " ") + config).strip() + slowed;
    }

    private static String times(List<Report.Block> blocks) {
        double us = Quantiles.median(
                blocks.stream().mapToDouble(block -> block.launchNs() / 1e3).toArray());
        double[] mhz = blocks.stream()
                .filter(block -> block.smClockMhz() != null)
                .mapToDouble(Report.Block::smClockMhz)
                .toArray();
        String clock = mhz.length == 0 ? "" : String.format(Locale.ROOT, " at %.0f MHz", Quantiles.median(mhz));
        return String.format(Locale.ROOT, "%.2f us%s", us, clock);
    }

    private String verdict() {
        Ratio ratio = compared.ratio();
        String known = ratio == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; its speed is %.4f times that of the second, [%.4f, %.4f], from %s",
                        ratio.value(),
                        ratio.low(),
                        ratio.high(),
                        Count.of(ratio.blocks(), "block"));
        return words(compared.verdict()) + known;
    }

    private String words(CompareVerdict verdict) {
        return verdict + ": "
                + switch (verdict) {
                    case EQUAL -> "both have the same module and launch, so nothing was timed";
                    case FASTER -> "the first is faster by more than 0.5 %";
                    case SLOWER -> "the first is slower by more than 0.5 %";
                    case SAME -> "they differ by less than 0.5 %";
                    case INCONCLUSIVE ->
                        compared.doubts().isEmpty()
                                ? "the interval is too wide to tell"
                                : String.join("; ", compared.doubts());
                    case INVALID -> "one of them computes something else, or cannot run";
                };
    }

    private List<String> discards() {
        Map<String, Integer> reasons = new TreeMap<>();
        compared.discards().forEach(discard -> reasons.merge(discard.reason(), 1, Integer::sum));
        return reasons.entrySet().stream()
                .map(reason -> Count.of(reason.getValue(), "block") + " discarded: " + reason.getKey())
                .toList();
    }

    /** How much faster the first was in each block, in percent, in the order of the blocks. */
    private double[] percents() {
        Map<Integer, double[]> blocks = new TreeMap<>();
        for (Report.Block block : compared.blocks()) {
            double[] pair = blocks.computeIfAbsent(block.index(), any -> new double[2]);
            pair[block.arm().equals(compared.first().name()) ? 0 : 1] = block.launchNs();
        }
        return blocks.values().stream()
                .filter(pair -> Arrays.stream(pair).allMatch(time -> time > 0))
                .mapToDouble(pair -> 100 * (pair[1] / pair[0] - 1))
                .toArray();
    }
}
