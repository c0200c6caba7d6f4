package dev.tilewright.model.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that share a range of M. */
class ReignsTest {

    /**
     * A kernel of tiles: each costs as much as all of its rows, and waves of so many tiles take one after the other.
     */
    private static IntToDoubleFunction tiles(int rows, int wave, double perRow) {
        return m -> 5 + Math.ceilDiv(Math.ceilDiv(m, rows), wave) * rows * perRow;
    }

    @Test
    void theCrossingIsFoundToTheRow() {
        IntToDoubleFunction few = m -> m <= 100 ? 1 : 2;
        IntToDoubleFunction many = m -> 1.5;

        List<Reign> reigns =
                Reigns.among(List.of(few, many), RowSamples.near(1, 4096)).of(8);

        assertThat(reigns).containsExactly(new Reign(1, 100, 0), new Reign(101, 4096, 1));
    }

    /** Between two samples that are further apart than the search looks at each M. */
    @Test
    void aCrossingInAWideGapIsFoundToTheStep() {
        IntToDoubleFunction few = m -> m <= 500_000 ? 1 : 2;
        IntToDoubleFunction many = m -> 1.5;

        List<Reign> reigns = Reigns.among(List.of(few, many), new int[] {1, 1_000_000, 2_000_000})
                .of(2);

        assertThat(reigns).extracting(Reign::kernel).containsExactly(0, 1);
        assertThat(reigns.getLast().from()).isBetween(500_001, 500_001 + 1_000_000 / 512 + 1);
    }

    @Test
    void aKernelComesBack() {
        IntToDoubleFunction inTheMiddle = m -> m > 64 && m <= 512 ? 1 : 3;
        IntToDoubleFunction besides = m -> 2;

        assertThat(Reigns.among(List.of(inTheMiddle, besides), RowSamples.near(1, 4096))
                        .of(8))
                .containsExactly(new Reign(1, 64, 1), new Reign(65, 512, 0), new Reign(513, 4096, 1));
    }

    @Test
    void whatIsHardlyFasterIsNoKernelOfTheTable() {
        IntToDoubleFunction one = m -> 1;
        IntToDoubleFunction hardly = m -> m > 64 ? 0.9999 : 1.1;

        assertThat(Reigns.among(List.of(one, hardly), RowSamples.near(1, 4096)).of(8))
                .containsExactly(new Reign(1, 4096, 0));
    }

    @Test
    void ofOneKernelAndOneRow() {
        assertThat(Reigns.among(List.of(m -> 7), new int[] {12}).of(1)).containsExactly(new Reign(12, 12, 0));
        assertThatThrownBy(() -> Reigns.among(List.of(), new int[] {12}))
                .hasMessage("a table needs a kernel and a sample, got 0 kernels and 1 samples");
        assertThatThrownBy(() -> Reigns.among(List.of(m -> 7), new int[] {12}).of(0))
                .hasMessage("a table has at least one kernel, got 0");
    }

    /** Each of four kernels is the fastest in a quarter of log M, and elsewhere takes a tenth longer. */
    @Test
    void theOutlookIsThatOfTwiceAsManyKernels() {
        int[] rows = RowSamples.near(1, 1 << 16);
        List<IntToDoubleFunction> kernels = IntStream.range(0, 4)
                .<IntToDoubleFunction>mapToObj(i -> m -> m >= 1 << 4 * i && m < 1 << 4 * (i + 1) ? 1 : 1.1)
                .toList();
        Reigns choice = Reigns.among(kernels, rows);

        List<MeanLoss> lost = choice.table(1).lost();
        assertThat(lost).extracting(MeanLoss::kernels).containsExactly(1, 2);
        assertThat(lost.get(0).share()).isCloseTo(Math.pow(1.1, 0.75) - 1, within(0.002));
        assertThat(lost.get(1).share()).isCloseTo(Math.pow(1.1, 0.5) - 1, within(0.002));
        assertThat(MeanLoss.line(lost))
                .isEqualTo(
                        "in the mean over log M, 1 kernel takes 7.4 % longer than the fastest of those to choose from;"
                                + " 2 would take 4.9 % longer (--kernels 2)");
        assertThat(choice.table(2).reigns()).isEqualTo(choice.of(2));
        List<MeanLoss> ofAll = choice.table(4).lost();
        assertThat(ofAll).extracting(MeanLoss::kernels).containsExactly(4);
        assertThat(MeanLoss.line(ofAll))
                .isEqualTo(
                        "in the mean over log M, 4 kernels take 0.0 % longer than the fastest of those to choose from");
        assertThat(choice.table(8).lost()).extracting(MeanLoss::kernels).containsExactly(4);
    }

    /** A larger table is said to be better as long as a user may ask for it. */
    @Test
    void theOutlookEndsAtTheMostKernelsOfATable() {
        List<IntToDoubleFunction> kernels = IntStream.range(0, 40)
                .<IntToDoubleFunction>mapToObj(i -> m -> (int) (40 * Math.log(m) / Math.log(1 << 16)) == i ? 1 : 2)
                .toList();
        Reigns choice = Reigns.among(kernels, RowSamples.near(1, 1 << 16));

        assertThat(choice.table(20).lost()).extracting(MeanLoss::kernels).containsExactly(20, 32);
        assertThat(choice.table(32).lost()).extracting(MeanLoss::kernels).containsExactly(32);
    }

    /** Without gaps, of no more kernels than were asked for, and in the mean within 5 % of the best two of all. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void drawnKernelsOfTilesShareTheRange(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<IntToDoubleFunction> kernels = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            kernels.add(tiles(8 * random.nextInt(1, 33), random.nextInt(2, 60), random.nextDouble(0.05, 0.2)));
        }
        int most = random.nextInt(200, 9000);
        int[] rows = RowSamples.near(1, most);

        List<Reign> reigns = Reigns.among(kernels, rows).of(2);

        assertThat(reigns.getFirst().from()).isEqualTo(1);
        assertThat(reigns.getLast().to()).isEqualTo(most);
        for (int i = 1; i < reigns.size(); i++) {
            assertThat(reigns.get(i).from()).isEqualTo(reigns.get(i - 1).to() + 1);
            assertThat(reigns.get(i).kernel()).isNotEqualTo(reigns.get(i - 1).kernel());
        }
        assertThat(reigns.stream().map(Reign::kernel).distinct()).hasSizeLessThanOrEqualTo(2);
        double best = Double.POSITIVE_INFINITY;
        for (IntToDoubleFunction one : kernels) {
            for (IntToDoubleFunction other : kernels) {
                best = Math.min(best, lost(kernels, rows, m -> Math.min(one.applyAsDouble(m), other.applyAsDouble(m))));
            }
        }
        double ours =
                lost(kernels, rows, m -> kernels.get(at(reigns, m).kernel()).applyAsDouble(m));
        assertThat(ours).isBetween(best - 1e-9, best + 0.05);
    }

    private static Reign at(List<Reign> reigns, int m) {
        return reigns.stream().filter(each -> m <= each.to()).findFirst().orElseThrow();
    }

    /** The mean logarithm over log M. */
    private static double lost(List<IntToDoubleFunction> kernels, int[] rows, IntToDoubleFunction table) {
        double lost = 0;
        for (int i = 0; i < rows.length; i++) {
            int m = rows[i];
            double fastest = kernels.stream()
                    .mapToDouble(each -> each.applyAsDouble(m))
                    .min()
                    .orElseThrow();
            double next = i + 1 < rows.length ? rows[i + 1] : m + 1.0;
            lost += StrictMath.log(table.applyAsDouble(m) / fastest) * StrictMath.log(next / m);
        }
        return lost / StrictMath.log(rows[rows.length - 1] + 1.0);
    }
}
