package dev.tilewright.api.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.testing.ToyFamily;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The phases of a range, on a made-up device. */
class RangePlanTest {

    private static final DeviceLimits LIMITS = DeviceLimits.of(132);
    private static final RangedProblem RANGED = ranged(1, 4096);

    private final RangePlan plan = new RangePlan(RANGED, new ToyFamily(), LIMITS, 8);

    private static RangedProblem ranged(int least, int most) {
        ShapeRange range = new ShapeRange(least, most, 384, 256);
        return new RangedProblem(range, Problem.of(range.at(least), DataType.BF16));
    }

    /** Large tiles pay off with many rows, small ones with few. */
    private static double us(Config config, int m) {
        double tileM = config.whole("tileM");
        double tileN = config.whole("tileN");
        return 2
                + Math.ceil(m / tileM) * (4 + tileM / 16) * (1 + 32 / tileN) * Math.ceil(384 / tileN) / 32
                + 0.01 * config.whole("rasterGroup")
                + (config.name("scheduler").equals("static") ? 0.02 : 0);
    }

    private static MeasuredRows measured(int m, List<Config> configs) {
        return new MeasuredRows(m, configs.stream().collect(Collectors.toMap(config -> config, each -> us(each, m))));
    }

    private List<MeasuredRows> searched(RangedProblem ranged) {
        List<MeasuredRows> studies = new ArrayList<>();
        for (int m : RangePlan.searched(ranged)) {
            List<Config> configs = SpaceTree.of(new ToyFamily().space(ranged.at(m), LIMITS))
                    .configs()
                    .toList();
            studies.add(measured(m, configs));
        }
        return studies;
    }

    private static RangeTimes times(List<MeasuredRows> studies) {
        return RangeTimes.of(RANGED, Optional.empty(), studies);
    }

    private RangeDocument.Table table(List<MeasuredRows> studies) {
        plan.finds(times(studies)).forEach(timing -> studies.add(measured(timing.m(), timing.configs())));
        List<RangePlan.Timing> crossings = plan.crossings(times(studies));
        crossings.forEach(timing -> studies.add(measured(timing.m(), timing.configs())));
        List<Config> chosen = crossings.stream()
                .flatMap(timing -> timing.configs().stream())
                .distinct()
                .toList();
        int[] measuredAt =
                studies.stream().mapToInt(MeasuredRows::m).distinct().sorted().toArray();
        return plan.table(times(studies), chosen, measuredAt, 7);
    }

    @Test
    void theTableHasAKernelForEachMAndIsHardlySlowerThanAnyOther() {
        RangeDocument.Table table = table(searched(RANGED));

        assertThat(table.screened()).isEqualTo(20);
        assertThat(table.kernels().getFirst().from()).isEqualTo(1);
        assertThat(table.kernels().getLast().to()).isEqualTo(4096);
        for (int i = 1; i < table.kernels().size(); i++) {
            assertThat(table.kernels().get(i).from())
                    .isEqualTo(table.kernels().get(i - 1).to() + 1);
        }
        assertThat(table.kernels().stream().map(Span::config).distinct().count())
                .isBetween(2L, 8L);
        List<MeasuredRows> checks = plan.checks(times(searched(RANGED)), table).stream()
                .map(timing -> measured(timing.m(), timing.configs()))
                .toList();
        Regret regret = RangePlan.regret(table, checks).orElseThrow();
        assertThat(regret.checks()).hasSize(16);
        assertThat(regret.median()).isLessThan(0.01);
        assertThat(regret.worst()).isLessThan(0.15);
    }

    @Test
    void whatIsTimedKeepsTheRulesAndFewOfATileAreThere() {
        RangeTimes times = times(searched(RANGED));

        assertThat(plan.finds(times)).isNotEmpty().allSatisfy(timing -> {
            assertThat(timing.configs()).doesNotHaveDuplicates();
            assertThat(timing.configs()).noneMatch(config -> config.whole("tileM") * config.whole("tileN") > 16384);
            Map<String, Long> ofTile = timing.configs().stream()
                    .collect(Collectors.groupingBy(
                            config -> config.whole("tileM") + "x" + config.whole("tileN"), Collectors.counting()));
            assertThat(ofTile.values()).allMatch(count -> count <= 3);
        });
    }

    /** At each M of the checks the kernel of the table comes first, and none twice. */
    @Test
    void theChecksBeginWithTheKernelOfTheTable() {
        List<MeasuredRows> studies = searched(RANGED);
        RangeDocument.Table table = table(studies);

        assertThat(table.drawn()).isTrue();
        assertThat(plan.checks(times(studies), table)).hasSize(16).allSatisfy(timing -> {
            assertThat(studies).noneMatch(study -> study.m() == timing.m());
            Span own = table.kernels().stream()
                    .filter(span -> span.from() <= timing.m() && timing.m() <= span.to())
                    .findFirst()
                    .orElseThrow();
            assertThat(timing.configs().getFirst()).isEqualTo(own.config());
            assertThat(timing.configs()).doesNotHaveDuplicates();
        });
    }

    @Test
    void theRegretIsOfTheKernelOfTheTableBesideTheFastestOfItsCheck() {
        RangeDocument.Table table = table(searched(RANGED));
        Config own = table.kernels().getFirst().config();
        Config other = table.kernels().getLast().config();

        Regret regret = RangePlan.regret(
                        table,
                        List.of(
                                new MeasuredRows(1, Map.of(own, 11.0, other, 10.0)),
                                new MeasuredRows(2, Map.of(other, 10.0))))
                .orElseThrow();
        assertThat(regret.checks()).as("at M = 2 the table's kernel failed").hasSize(1);
        assertThat(regret.worst()).isCloseTo(0.1, within(1e-9));
        assertThat(RangePlan.regret(table, List.of(new MeasuredRows(2, Map.of(other, 10.0)))))
                .isEmpty();
    }

    /**
     * A restriction may leave kernels for many rows alone; a table that names one for a few would not be launchable.
     */
    @Test
    void whereNoKernelMayBeLaunchedThereIsNoTable() {
        List<MeasuredRows> studies = searched(RANGED);
        Config broken = studies.getFirst().us().keySet().stream()
                .findFirst()
                .orElseThrow()
                .with("tileM", ParameterValue.of(256))
                .with("tileN", ParameterValue.of(128));
        studies.add(new MeasuredRows(64, Map.of(broken, 3.0)));

        assertThatThrownBy(() -> plan.table(times(studies), List.of(broken), new int[] {1, 64}, 7))
                .isInstanceOf(NoTableException.class)
                .hasMessageStartingWith(
                        "no kernel that was timed may be launched with M = 1: accumulator: 32768 elements");
    }

    @Test
    void aKernelThatIsWrongAtOneMIsInNoTable() {
        List<MeasuredRows> studies = searched(RANGED);
        Config wrong = studies.getFirst().us().keySet().stream().findFirst().orElseThrow();
        studies.add(new MeasuredRows(100, Map.of(), Map.of(wrong, TrialOutcome.MISMATCH)));
        assertThat(times(studies).configs()).hasSize(19).doesNotContain(wrong);

        RangeDocument.Table table = table(searched(RANGED));
        Span first = table.kernels().getFirst();
        assertThatThrownBy(() -> RangePlan.regret(
                        table, List.of(new MeasuredRows(1, Map.of(), Map.of(first.config(), TrialOutcome.MISMATCH)))))
                .isInstanceOf(NoTableException.class)
                .hasMessage("the kernel for M = 1 to " + first.to() + " failed its check with M = 1: mismatch");
    }

    /** Three values of M leave none to draw: the checks are at those that took part. */
    @Test
    void aRangeOfFewMIsCheckedAtThoseThatTookPart() {
        RangedProblem few = ranged(2, 4);
        RangePlan ofFew = new RangePlan(few, new ToyFamily(), LIMITS, 8);
        List<MeasuredRows> studies = searched(few);
        RangeTimes times = RangeTimes.of(few, Optional.empty(), studies);

        RangeDocument.Table table = ofFew.table(times, List.copyOf(times.configs()), new int[] {2, 3, 4}, 1);
        assertThat(table.drawn()).isFalse();
        assertThat(table.checkedAt()).containsExactly(2, 3, 4);
    }
}
