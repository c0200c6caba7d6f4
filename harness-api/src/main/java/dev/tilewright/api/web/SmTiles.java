package dev.tilewright.api.web;

import java.util.ArrayList;
import java.util.List;

/**
 * The tiles of one SM in the order of their starts. Tiles that overlap in time, as those of two warpgroups of a
 * ping-pong kernel, have different lanes.
 *
 * @param times start and end of each tile in turn, in nanoseconds
 */
record SmTiles(List<Long> times) {

    /** The lane of each tile, from 0 on: the first one that is free when the tile starts. */
    List<Integer> lanes() {
        List<Integer> laneOf = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        for (int i = 0; i < times.size(); i += 2) {
            int lane = 0;
            while (lane < ends.size() && ends.get(lane) > times.get(i)) {
                lane++;
            }
            if (lane == ends.size()) {
                ends.add(0L);
            }
            ends.set(lane, times.get(i + 1));
            laneOf.add(lane);
        }
        return laneOf;
    }

    /** How long the SM had no tile each time, before its first tile and between two. */
    List<Long> gapsNs() {
        List<Long> gaps = new ArrayList<>();
        long covered = 0;
        for (int i = 0; i < times.size(); i += 2) {
            if (times.get(i) > covered) {
                gaps.add(times.get(i) - covered);
            }
            covered = Math.max(covered, times.get(i + 1));
        }
        return gaps;
    }
}
