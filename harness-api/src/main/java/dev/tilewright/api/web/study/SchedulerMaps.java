package dev.tilewright.api.web.study;

import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.api.web.OccupancyGroup;
import dev.tilewright.api.web.OccupancyMap;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.space.ranking.SchedulerCrossings;
import dev.tilewright.space.ranking.SchedulerPoint;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The best config of each tile scheduler at one number of busy SMs with its map.
 *
 * @param schedulers the fastest first
 */
record SchedulerMaps(int busySms, List<Best> schedulers) {

    /**
     * The best config of a tile scheduler.
     *
     * @param speed beside that of the fastest
     * @param stage of both times; {@code null} of a prediction
     * @param map {@code null} if the trial was not traced
     */
    record Best(
            String scheduler,
            UUID trialId,
            String config,
            String time,
            String speed,
            @Nullable Stage stage,
            @Nullable OccupancyMap map) {

        private static Best of(SchedulerPoint.Entry entry, ConfigWords words) {
            return new Best(
                    entry.scheduler(),
                    entry.trial(),
                    words.brief(entry.config()),
                    Figures.us(entry.side().time().medianNs()),
                    entry.speed().words(),
                    entry.side().simulated() ? null : entry.stage(),
                    entry.side().evidence() == null
                            ? null
                            : OccupancyMap.of(entry.side().evidence(), entry.config()));
        }
    }

    /** The point with so many busy SMs; without such a point the one at which the last leader takes over. */
    static Optional<SchedulerPoint> at(SchedulerCrossings crossings, @Nullable Integer busySms) {
        return crossings.points().stream()
                .filter(point -> Integer.valueOf(point.busySms()).equals(busySms))
                .findFirst()
                .or(() -> crossings.spans().stream()
                        .reduce((_, last) -> last)
                        .map(last -> crossings.points().get(last.first())));
    }

    static SchedulerMaps of(SchedulerPoint point, ConfigWords words) {
        return new SchedulerMaps(
                point.busySms(),
                point.entries().stream().map(entry -> Best.of(entry, words)).toList());
    }

    /** The maps of the schedulers that were traced. */
    public OccupancyGroup maps() {
        return new OccupancyGroup(schedulers.stream()
                .flatMap(best -> Stream.ofNullable(best.map()))
                .toList());
    }
}
