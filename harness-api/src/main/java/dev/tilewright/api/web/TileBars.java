package dev.tilewright.api.web;

import java.util.ArrayList;
import java.util.List;

/**
 * The tiles of one SM as bars, and the gaps before and between them, each kind as the data of one SVG path: a rectangle
 * of its own for each of thousands of tiles would be too much for a page. Tiles that overlap in time, as those of two
 * warpgroups of a ping-pong kernel, have lanes of their own. In a lane tiles are drawn in two colours in turn, so that
 * each is seen where no gap is between them.
 *
 * @param tiles first, third, ... tile of each lane
 * @param next second, fourth, ... tile of each lane
 * @param gaps in which the SM had no tile
 * @param gapNs sum of these
 * @param longestGapNs of these; 0 if there is none
 */
record TileBars(String tiles, String next, String gaps, long gapNs, long longestGapNs) {

    /** In units of the drawing: a tile that took less, or none by its clock, is seen all the same. */
    private static final double NARROWEST = 0.4;

    /** Where bars are drawn: from {@code y} on, so many units thick, so many units a nanosecond. */
    record Lane(double y, double thick, double scale) {}

    /**
     * The bars of an SM.
     *
     * @param times start and end of each tile in turn, in the order of their starts
     * @param laneOf of each tile, as {@link #lanes} says it
     * @param lanes of the whole drawing, at least those of this SM
     */
    static TileBars of(List<Long> times, List<Integer> laneOf, int lanes, Lane at) {
        StringBuilder tiles = new StringBuilder();
        StringBuilder next = new StringBuilder();
        StringBuilder gaps = new StringBuilder();
        double thick = at.thick() / lanes;
        int[] drawn = new int[lanes];
        long covered = 0;
        long gapNs = 0;
        long longest = 0;
        for (int i = 0; i < times.size(); i += 2) {
            long start = times.get(i);
            long end = times.get(i + 1);
            if (start > covered) {
                bar(gaps, covered, start, 0, at.y(), at);
                gapNs += start - covered;
                longest = Math.max(longest, start - covered);
            }
            covered = Math.max(covered, end);
            int lane = laneOf.get(i / 2);
            StringBuilder colour = drawn[lane]++ % 2 == 0 ? tiles : next;
            Lane inLane = new Lane(at.y(), thick, at.scale());
            bar(colour, start, end, NARROWEST, at.y() + lane * thick, inLane);
        }
        return new TileBars(tiles.toString(), next.toString(), gaps.toString(), gapNs, longest);
    }

    /** The lane of each tile of an SM, from 0 on: tiles that overlap in time have different ones. */
    static List<Integer> lanes(List<Long> times) {
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

    private static void bar(StringBuilder path, long fromNs, long toNs, double narrowest, double y, Lane at) {
        String width = number(Math.max(narrowest, (toNs - fromNs) * at.scale()));
        path.append('M').append(number(fromNs * at.scale())).append(' ').append(number(y));
        path.append('h').append(width).append('v').append(number(at.thick()));
        path.append("h-").append(width).append('z');
    }

    /** A hundredth of a unit is a hundredth of a pixel or two. */
    private static String number(double units) {
        long hundredths = Math.round(units * 100);
        return hundredths % 100 == 0 ? Long.toString(hundredths / 100) : Double.toString(hundredths / 100.0);
    }
}
