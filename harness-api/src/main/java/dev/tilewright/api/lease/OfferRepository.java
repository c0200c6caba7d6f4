package dev.tilewright.api.lease;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Finds the studies that a device may take, by the index {@code study_on_testbed} and the table {@code study_queue}:
 * what others may take is not looked at, however much it is.
 */
@Repository
record OfferRepository(JdbcClient jdbc) {

    /**
     * A device that asks for work.
     *
     * @param selectors that accept its device
     * @param families that it can build, by their makers
     */
    record Taker(UUID workerId, UUID testbedId, Collection<String> selectors, Collection<String> families) {

        /** Some of what it may take. */
        Taker with(Collection<String> someSelectors, Collection<String> someFamilies) {
            return new Taker(workerId, testbedId, someSelectors, someFamilies);
        }
    }

    /**
     * A study that runs.
     *
     * @param fresh whether it has no trial yet
     */
    record Running(UUID id, boolean fresh) {}

    /**
     * Studies that run on the testbed, oldest first: there what is made under another name is one of their families.
     */
    List<Running> running(Taker taker) {
        return asked("""
                select s.id, y.asked = 0 as fresh
                from study s join job j on j.id = s.job_id join study_tally y on y.study_id = s.id
                where s.state = 'running' and s.testbed_id = :testbed
                    and j.options ->> 'device' = any(cast(:selectors as text[]))
                    and split_part(s.family, ':', 1) = any(cast(:families as text[]))
                    and not exists (select from refusal r where r.worker_id = :worker and r.study_id = s.id)
                order by s.seq""", taker)
                .query((row, number) -> new Running(row.getObject("id", UUID.class), row.getBoolean("fresh")))
                .list();
    }

    /** Studies that no device has taken, oldest first. */
    List<UUID> queued(Taker taker, int limit) {
        return queued(taker, limit, limit);
    }

    private List<UUID> queued(Taker taker, int ofEach, int limit) {
        return asked("""
                select q.study_id from unnest(cast(:selectors as text[])) as a(selector)
                cross join unnest(cast(:families as text[])) as b(family)
                cross join lateral (
                    select s.study_id, s.seq from study_queue s where s.selector = a.selector and s.family = b.family
                    order by s.seq limit :ofEach) q
                order by q.seq limit :limit""", taker)
                .param("ofEach", ofEach)
                .param("limit", limit)
                .query(UUID.class)
                .list();
    }

    /** The oldest study of each selector and family that no device has taken. */
    List<UUID> oldestOfEach(Taker taker) {
        return queued(taker, 1, taker.selectors().size() * taker.families().size());
    }

    private JdbcClient.StatementSpec asked(String sql, Taker taker) {
        return jdbc.sql(sql)
                .param("worker", taker.workerId())
                .param("testbed", taker.testbedId())
                .param("selectors", taker.selectors().toArray(String[]::new))
                .param("families", taker.families().toArray(String[]::new));
    }
}
