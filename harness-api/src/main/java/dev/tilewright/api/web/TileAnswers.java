package dev.tilewright.api.web;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.space.parameter.Scheduler;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * How the tile scheduler handed out the tiles of an SM, in words; empty if the family names no scheduler.
 *
 * @param first the first tile of the SM
 * @param later every other tile
 */
public record TileAnswers(String first, String later) {

    private static final TileAnswers NONE = new TileAnswers("", "");
    private static final String LAUNCHED = "its cluster was launched with this tile";

    static TileAnswers of(SchedulerEvidence evidence, Config config) {
        return Arrays.stream(Scheduler.values())
                .filter(each -> config.has(Scheduler.KEY.name())
                        && each.toString()
                                .equals(config.value(Scheduler.KEY.name()).toString()))
                .findFirst()
                .map(each -> of(evidence, each))
                .orElse(NONE);
    }

    private static TileAnswers of(SchedulerEvidence evidence, Scheduler scheduler) {
        return switch (scheduler) {
            case SINGLE -> new TileAnswers(LAUNCHED, LAUNCHED);
            case STATIC -> new TileAnswers("dealt before the launch", "dealt before the launch");
            case ATOMIC, CLC ->
                new TileAnswers(
                        LAUNCHED,
                        clusters(evidence) > evidence.tilesPerSm().size()
                                ? "its cluster asked for the tile or was launched with it"
                                : "its cluster asked for the tile and got it");
        };
    }

    /** How many SMs all clusters of the run would fill: with more than there are, an SM had several clusters. */
    private static double clusters(SchedulerEvidence evidence) {
        List<Integer> steals = evidence.stealsPerCluster();
        double clusterTiles =
                steals.size() + steals.stream().mapToInt(Integer::intValue).sum();
        double ctaTiles = Objects.requireNonNullElse(evidence.tileNs(), List.<List<Long>>of()).stream()
                .mapToInt(times -> times.size() / 2)
                .sum();
        return clusterTiles == 0 ? 0 : steals.size() * ctaTiles / clusterTiles;
    }
}
