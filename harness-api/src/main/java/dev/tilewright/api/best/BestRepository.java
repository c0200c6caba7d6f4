package dev.tilewright.api.best;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Finds the studies whose finals answer a question. */
@Repository
class BestRepository {

    private final JdbcClient jdbc;

    BestRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What is asked for; {@code null} for any. */
    record Question(
            @Nullable Integer m,
            @Nullable Integer n,
            @Nullable Integer k,
            @Nullable String dtype,
            @Nullable String testbed,
            @Nullable String family) {}

    /**
     * For each problem, family and testbed the study with the newest final in which one of its own kernels completed. A
     * study has m, n, k and dtype only if its problem is plain: one shape, the types of one name, default layouts, and
     * no SM held by others.
     */
    List<UUID> studies(Question question, int limit) {
        List<String> asked = new ArrayList<>();
        if (question.m() != null) {
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
        // In the order of the index study_finals and no join: it is walked as far as the answer goes.
        return jdbc.sql("""
                select id from (
                    select distinct on (s.m, s.n, s.k, s.dtype, s.family, s.testbed_id) s.id, s.m, s.n, s.k, s.dtype, s.finished_at
                    from study s
                    where s.state = 'finished' and s.m is not null
                        and (select t.kind = 'cuda' from testbed t where t.id = s.testbed_id) %s
                        and (select true from final_arm a join measurement r on r.arm_id = a.id and r.mode = 'sustained' and r.stage = 'final'
                            where a.study_id = s.id and a.trial_id is not null and a.outcome = 'completed' limit 1)
                    order by s.m, s.n, s.k, s.dtype, s.family, s.testbed_id, s.finished_at desc) newest
                order by m, n, k, dtype, finished_at desc limit :limit""".formatted(asked.stream().map(" and "::concat).collect(Collectors.joining())))
                .param("m", question.m())
                .param("n", question.n())
                .param("k", question.k())
                .param("dtype", question.dtype())
                .param("testbed", question.testbed())
                .param("family", question.family())
                .param("limit", limit)
                .query(UUID.class)
                .list();
    }
}
