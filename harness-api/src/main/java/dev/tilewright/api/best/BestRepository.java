package dev.tilewright.api.best;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.bundle.BundleName;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.family.VendorFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Finds the studies whose finals answer a question. */
@Repository
record BestRepository(JdbcClient jdbc, JsonColumn json) {

    /** The studies of the plain problems that are found first. */
    private static final String OF_PROBLEMS =
            "problem q join study s on s.m = q.m and s.n = q.n and s.k = q.k and s.dtype = q.dtype";

    /** A study on a real GPU that is over. */
    private static final String OVER_ON_REAL_GPU =
            "s.state = 'finished' and (select t.kind = 'cuda' from testbed t where t.id = s.testbed_id)";

    /** Such a study in whose final one of its own kernels was timed. */
    private static final String HAS_FINAL = OVER_ON_REAL_GPU + " and " + """
            exists (
                select from final_arm a join measurement r on r.arm_id = a.id
                where a.study_id = s.id and a.trial_id is not null and a.outcome = 'completed'
                    and r.mode = 'sustained' and r.stage = 'final')""";

    /**
     * The filter; {@code null} accepts any value.
     *
     * @param problem the only one, which is not plain; {@code null} for plain ones
     */
    record Question(
            @Nullable Problem problem,
            @Nullable Integer m,
            @Nullable Integer n,
            @Nullable Integer k,
            @Nullable String dtype,
            @Nullable String testbed,
            @Nullable String family) {

        /** Of plain problems. */
        static Question of(
                @Nullable ProblemShape shape,
                @Nullable DataType type,
                @Nullable String testbed,
                @Nullable String family) {
            return new Question(
                    null,
                    shape == null ? null : shape.m(),
                    shape == null ? null : shape.n(),
                    shape == null ? null : shape.k(),
                    type == null ? null : type.toString(),
                    testbed,
                    family);
        }

        /** Of one problem that is not plain. */
        static Question of(Problem problem, @Nullable String testbed, @Nullable String family) {
            return new Question(problem, null, null, null, null, testbed, family);
        }

        /** The same of another family. */
        Question of(BundleName version) {
            return new Question(problem, m, n, k, dtype, testbed, version.toString());
        }

        /** The same of another shape. */
        Question of(ProblemShape shape) {
            return new Question(null, shape.m(), shape.n(), shape.k(), dtype, testbed, family);
        }
    }

    /** The shape nearest to that of the question of which a final is known; of two equally near ones the smaller. */
    Optional<ProblemShape> nearest(Question question) {
        return asked(question, """
                select s.m, s.n, s.k from study s
                where %s %s
                order by abs(ln(s.m) - ln(:m)) + abs(ln(s.n) - ln(:n)) + abs(ln(s.k) - ln(:k)), s.m, s.n, s.k
                limit 1""".formatted(HAS_FINAL, conditions(question, false)))
                .query((row, number) -> new ProblemShape(row.getInt("m"), row.getInt("n"), row.getInt("k")))
                .optional();
    }

    /** The problems that are not plain and of which a final is known. */
    List<Problem> problemsThatAreNotPlain() {
        return jdbc.sql("""
                select distinct s.problem from study s
                where s.state = 'finished' and s.m is null and exists (
                    select from final_arm a where a.study_id = s.id and a.trial_id is not null and a.outcome = 'completed')""")
                .query((row, number) -> json.read(row, "problem", Problem.class))
                .list();
    }

    /**
     * The highest rate that a final measured, of plain problems of a class.
     *
     * @param shapes class of the shapes, see {@link BestMeters}
     * @param model of the GPU
     */
    record HighestRate(String shapes, String model, double tflops) {}

    List<HighestRate> highestRates() {
        return jdbc.sql("""
                select case when least(s.m, s.n) <= 128 then 'skinny'
                        when 2e0 * s.m * s.n * s.k < 2e10 then 'small'
                        when 2e0 * s.m * s.n * s.k < 1e12 then 'medium' else 'large' end as shapes,
                    t.device, max(y.final_tflops) as tflops
                from study s join study_tally y on y.study_id = s.id join testbed t on t.id = s.testbed_id
                where s.state = 'finished' and s.m is not null and t.kind = 'cuda' and y.final_tflops is not null
                group by 1, 2""")
                .query((row, number) ->
                        new HighestRate(row.getString("shapes"), row.getString("device"), row.getDouble("tflops")))
                .list();
    }

    /** A statement with what is asked for; it need not ask for all of it. */
    private JdbcClient.StatementSpec asked(Question question, String sql) {
        return jdbc.sql(sql)
                .param("problem", json.write(question.problem()))
                .param("m", question.m())
                .param("n", question.n())
                .param("k", question.k())
                .param("dtype", question.dtype())
                .param("testbed", question.testbed())
                .param("family", question.family());
    }

    private static String conditions(Question question, boolean ofItsShape) {
        List<String> asked = new ArrayList<>(
                List.of(question.problem() == null ? "s.m is not null" : "s.problem = cast(:problem as jsonb)"));
        if (ofItsShape && question.m() != null) {
            asked.add("s.m = :m and s.n = :n and s.k = :k");
        }
        if (question.dtype() != null) {
            asked.add("s.dtype = :dtype");
        }
        if (question.testbed() != null) {
            asked.add("(select strpos(lower(t.device), lower(:testbed)) > 0 from testbed t where t.id = s.testbed_id)");
        }
        if (question.family() != null) {
            asked.add("s.family = :family");
        }
        return asked.stream().map(" and "::concat).collect(Collectors.joining());
    }

    /**
     * For each problem, family and testbed the study with the best final in which one of its own kernels completed.
     *
     * <p>Times of different runs differ by percents with the clock, times over that of the vendor's default kernel in
     * the same run do not. So the best is the one whose speed over the default has the highest lower bound; where a
     * final of the group lacks the default, the one whose time has the lowest upper bound (the median where there is no
     * interval). Where intervals lie apart that is the faster one, where they overlap the one of which more is sure; of
     * two that are the same it is the newer.
     *
     * <p>A study has m, n, k and dtype only if its problem is plain: one shape, the types of one name, default layouts,
     * and no SM held by others. Of one that is not, all studies are of one group.
     */
    List<UUID> studies(Question question, int limit) {
        // The index study_finals is walked as far as the answer goes: each problem of it has one row at least.
        return asked(question, """
                with problem as materialized (
                    select distinct s.m, s.n, s.k, s.dtype from study s
                    where %3$s %1$s
                    order by s.m, s.n, s.k, s.dtype limit :limit),
                winner as (
                    -- As TimedTrial has it: who left a final early was behind, and of equals the one asked first is the first.
                    select distinct on (s.id) s.id, s.m, s.n, s.k, s.dtype, s.family, s.testbed_id, s.finished_at,
                        coalesce(r.ci_high_ns, r.median_ns) as high_ns, (
                            select d.low from arm_ratio d join final_arm p on p.id = d.peer_id
                            where d.arm_id = a.id and d.mode = 'sustained' and p.outcome = 'completed'
                                and p.family = :vendor and p.config @> cast(:default as jsonb)
                            order by p.name limit 1) as over_default
                    from %2$s
                    join final_arm a on a.study_id = s.id and a.trial_id is not null and a.outcome = 'completed'
                    join trial o on o.id = a.trial_id
                    join measurement r on r.arm_id = a.id and r.mode = 'sustained' and r.stage = 'final'
                    where %4$s %1$s
                    order by s.id, r.blocks desc, r.median_ns, o.ordinal),
                compared as (
                    select *, case when bool_and(over_default is not null) over same then -over_default else high_ns end as bound
                    from winner window same as (partition by m, n, k, dtype, family, testbed_id)),
                best as (
                    select distinct on (m, n, k, dtype, family, testbed_id) * from compared
                    order by m, n, k, dtype, family, testbed_id, bound, finished_at desc)
                select id from best order by m, n, k, dtype, finished_at desc limit :limit""".formatted(
                                conditions(question, true),
                                question.problem() == null ? OF_PROBLEMS : "study s",
                                HAS_FINAL,
                                OVER_ON_REAL_GPU))
                .param("vendor", VendorFamily.NAME)
                .param("default", json.write(VendorFamily.config(ParameterValue.of(0))))
                .param("limit", limit)
                .query(UUID.class)
                .list();
    }
}
