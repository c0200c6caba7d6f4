package dev.tilewright.simulator;

import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import dev.tilewright.simulator.TiledProblem.Section;
import dev.tilewright.space.raster.Raster;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Cluster tiles broken down to CTA tiles, and what they add up to for each SM. */
record SpanLog(double firstStartNs, List<TileSpan> spans, SchedulerEvidence evidence) {

    /** @param heldSms how many SMs, those with the lowest ids, are held for the whole launch */
    static SpanLog of(
            KernelCost kernel, TiledProblem tiled, int smCount, int heldSms, List<GridRun.ClusterTile> tiles) {
        double origin =
                tiles.stream().mapToDouble(GridRun.ClusterTile::startNs).min().orElseThrow();
        List<TileSpan> spans = new ArrayList<>(tiles.size() * kernel.cluster().size());
        for (GridRun.ClusterTile tile : tiles) {
            TiledProblem.Work work = tiled.work(tile.tile());
            Section section = work.section();
            Raster.Place coordinates = work.coordinates();
            for (int rank = 0; rank < kernel.cluster().size(); rank++) {
                int tileM = coordinates.m() * kernel.cluster().m()
                        + rank % kernel.cluster().m();
                int tileN = coordinates.n() * kernel.cluster().n()
                        + rank / kernel.cluster().m() % kernel.cluster().n();
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
        SchedulerEvidence evidence = TileTimes.evidence(
                spans.stream()
                        .map(span -> new TileTimes.Tile(span.sm(), span.startNs(), span.endNs(), span.padding()))
                        .toList(),
                smCount,
                IntStream.range(0, heldSms).boxed().toList());
        return new SpanLog(origin, spans, evidence);
    }
}
