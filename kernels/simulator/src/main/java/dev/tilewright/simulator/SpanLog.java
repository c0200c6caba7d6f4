package dev.tilewright.simulator;

import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.simulator.TiledProblem.Section;
import dev.tilewright.space.raster.Raster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Cluster tiles broken down to CTA tiles, and their sum for each SM. Padding tiles take time and are no output: they
 * count in first start and last end, not in the tiles of an SM. An SM without a tile has 0 for both times and is idle
 * for the whole launch, unless somebody else held it all the time.
 */
record SpanLog(double firstStartNs, List<TileSpan> spans, SchedulerEvidence evidence) {

    /** @param heldSms how many SMs, those with the lowest ids, are held for the whole launch */
    static SpanLog of(KernelPlan plan, TiledProblem tiled, int smCount, int heldSms, List<GridRun.ClusterTile> tiles) {
        double origin =
                tiles.stream().mapToDouble(GridRun.ClusterTile::startNs).min().orElseThrow();
        List<TileSpan> spans = new ArrayList<>(tiles.size() * plan.clusterSize());
        for (GridRun.ClusterTile tile : tiles) {
            TiledProblem.Work work = tiled.work(tile.tile());
            Section section = work.section();
            Raster.Place place = work.place();
            for (int rank = 0; rank < plan.clusterSize(); rank++) {
                int tileM = place.m() * plan.clusterM() + rank % plan.clusterM();
                int tileN = place.n() * plan.clusterN() + rank / plan.clusterM();
                spans.add(new TileSpan(
                        tile.firstSm() + rank,
                        tile.cluster(),
                        section.group(),
                        tileM,
                        tileN,
                        tileM >= section.tilesM() || tileN >= section.tilesN(),
                        Math.round(tile.startNs() - origin),
                        Math.round(tile.endNs() - origin)));
            }
        }
        return new SpanLog(origin, spans, evidence(spans, smCount, heldSms));
    }

    private static SchedulerEvidence evidence(List<TileSpan> spans, int smCount, int heldSms) {
        Integer[] tiles = new Integer[smCount];
        Long[] first = new Long[smCount];
        Long[] last = new Long[smCount];
        Arrays.fill(tiles, 0);
        Arrays.fill(first, Long.MAX_VALUE);
        Arrays.fill(last, 0L);
        for (TileSpan span : spans) {
            tiles[span.sm()] += span.padding() ? 0 : 1;
            first[span.sm()] = Math.min(first[span.sm()], span.startNs());
            last[span.sm()] = Math.max(last[span.sm()], span.endNs());
        }
        long end = Arrays.stream(last).mapToLong(Long::longValue).max().orElseThrow();
        double idle =
                Arrays.stream(last).skip(heldSms).mapToDouble(own -> end - own).sum();
        Arrays.setAll(first, sm -> first[sm] == Long.MAX_VALUE ? Long.valueOf(0) : first[sm]);
        return new SchedulerEvidence(
                        List.of(tiles),
                        List.of(first),
                        List.of(last),
                        idle / ((double) end * (smCount - heldSms)),
                        null)
                .holding(IntStream.range(0, heldSms).boxed().toList());
    }
}
