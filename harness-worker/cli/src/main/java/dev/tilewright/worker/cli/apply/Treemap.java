package dev.tilewright.worker.cli.apply;

import java.util.ArrayList;
import java.util.List;

/**
 * Rectangles that fill an area, each with its part of it, and none longer and narrower than need be: the squarified
 * treemap of Bruls, Huizing and van Wijk (2000).
 */
final class Treemap {

    /** A rectangle in the units of the area. */
    record Rectangle(double x, double y, double width, double height) {}

    private final List<Double> areas;
    private final List<Rectangle> done = new ArrayList<>();
    private Rectangle free;

    private Treemap(List<Double> areas, Rectangle free) {
        this.areas = areas;
        this.free = free;
    }

    /**
     * Lays out.
     *
     * @param weights each above 0, the largest first
     * @return a rectangle for each weight, in their order
     */
    static List<Rectangle> of(List<Double> weights, double width, double height) {
        double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
        Treemap map = new Treemap(
                weights.stream().map(weight -> weight / sum * width * height).toList(),
                new Rectangle(0, 0, width, height));
        map.fill();
        return List.copyOf(map.done);
    }

    /** Rows along the shorter side of what is free; a row takes one more as long as that makes its worst one better. */
    private void fill() {
        int first = 0;
        while (first < areas.size()) {
            int end = first + 1;
            while (end < areas.size() && worst(first, end + 1) <= worst(first, end)) {
                end++;
            }
            place(first, end);
            first = end;
        }
    }

    /** The greatest ratio of two sides in a row of these. */
    private double worst(int first, int end) {
        double side = Math.min(free.width(), free.height());
        double depth = sum(first, end) / side;
        return areas.subList(first, end).stream()
                .mapToDouble(area -> Math.max(area / depth / depth, depth * depth / area))
                .max()
                .orElseThrow();
    }

    private double sum(int first, int end) {
        return areas.subList(first, end).stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    private void place(int first, int end) {
        boolean upright = free.height() <= free.width();
        double depth = sum(first, end) / (upright ? free.height() : free.width());
        double at = upright ? free.y() : free.x();
        for (double area : areas.subList(first, end)) {
            double length = area / depth;
            done.add(upright ? new Rectangle(free.x(), at, depth, length) : new Rectangle(at, free.y(), length, depth));
            at += length;
        }
        free = upright
                ? new Rectangle(free.x() + depth, free.y(), Math.max(0, free.width() - depth), free.height())
                : new Rectangle(free.x(), free.y() + depth, free.width(), Math.max(0, free.height() - depth));
    }
}
