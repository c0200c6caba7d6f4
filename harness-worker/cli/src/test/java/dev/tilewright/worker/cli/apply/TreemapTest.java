package dev.tilewright.worker.cli.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.testing.Draws;
import dev.tilewright.worker.cli.apply.Treemap.Rectangle;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

class TreemapTest {

    private static final double WIDTH = 1200;
    private static final double HEIGHT = 460;
    private static final double ROUNDED = 1e-6;

    @Draws
    void eachHasItsPartOfTheAreaAndNoneLiesOnAnother(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Double> weights = random.doubles(random.nextInt(1, 40), 1e-4, 1)
                .map(weight -> weight * weight)
                .boxed()
                .sorted(Comparator.reverseOrder())
                .toList();
        double sum = weights.stream().mapToDouble(Double::doubleValue).sum();

        List<Rectangle> rectangles = Treemap.of(weights, WIDTH, HEIGHT);

        assertThat(rectangles).hasSameSizeAs(weights);
        for (int i = 0; i < weights.size(); i++) {
            Rectangle one = rectangles.get(i);
            assertThat(one.width() * one.height()).isCloseTo(weights.get(i) / sum * WIDTH * HEIGHT, within(1e-3));
            assertThat(one.x()).isGreaterThanOrEqualTo(0);
            assertThat(one.y()).isGreaterThanOrEqualTo(0);
            assertThat(one.x() + one.width()).isLessThanOrEqualTo(WIDTH + ROUNDED);
            assertThat(one.y() + one.height()).isLessThanOrEqualTo(HEIGHT + ROUNDED);
            assertThat(rectangles.subList(0, i)).noneMatch(other -> overlap(one, other));
        }
        // Equal parts of this area are nearly squares.
        assertThat(Treemap.of(List.of(1.0, 1.0, 1.0, 1.0, 1.0, 1.0), WIDTH, HEIGHT))
                .allMatch(one -> one.width() / one.height() < 2 && one.height() / one.width() < 2);
    }

    private static boolean overlap(Rectangle one, Rectangle other) {
        return one.x() + one.width() > other.x() + ROUNDED
                && other.x() + other.width() > one.x() + ROUNDED
                && one.y() + one.height() > other.y() + ROUNDED
                && other.y() + other.height() > one.y() + ROUNDED;
    }
}
