package dev.tilewright.api.platform.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

@ExtendWith(RunningService.class)
class TimeLimitTest {

    /** As docs/service.md has them. */
    private static final Map<ConnectionPool, String> STATED = Map.of(
            ConnectionPool.CONTROL, "1s 5s 10s",
            ConnectionPool.CANCEL, "3s 10s 10s",
            ConnectionPool.STUDIES, "3s 30s 10s",
            ConnectionPool.QUERIES, "5s 30s 10s");

    @ParameterizedTest
    @EnumSource(ConnectionPool.class)
    void everyConnectionHasTheLimitsOfItsPool(ConnectionPool pool, Service service) {
        String limits =
                pool.call(() -> service.jdbc().sql("""
                        select current_setting('lock_timeout') || ' ' || current_setting('statement_timeout') || ' '
                            || current_setting('idle_in_transaction_session_timeout')""").query(String.class).single());
        assertThat(limits).isEqualTo(STATED.get(pool));
    }

    @Test
    void aStatementThatTakesTooLongIsNamedWithTheLimitOfThePool(Service service) {
        Throwable failure = failure(service, "set local statement_timeout = 50", "select pg_sleep(600)");
        assertThat(TimeLimit.reachedBy(failure)).contains("a statement took longer than 30 s (statement_timeout)");
        assertThat(ConnectionPool.CONTROL.call(() -> TimeLimit.reachedBy(failure)))
                .contains("a statement took longer than 5 s (statement_timeout)");
    }

    @Test
    void aTransactionThatDoesNothingIsEndedAndNamed(Service service) {
        JdbcClient jdbc = service.jdbc();
        Throwable failure =
                catchThrowable(() -> service.bean(TransactionTemplate.class).executeWithoutResult(status -> {
                    int session = jdbc.sql("select pg_backend_pid()")
                            .query(Integer.class)
                            .single();
                    jdbc.sql("set local idle_in_transaction_session_timeout = 50")
                            .update();
                    Awaiting.until(() -> ended(service, session));
                    jdbc.sql("select 1").query(Integer.class).single();
                }));
        assertThat(TimeLimit.reachedBy(failure))
                .contains("its transaction did nothing for 10 s (idle_in_transaction_session_timeout)");
    }

    /** Asked by another thread: this one is in a transaction. */
    private static boolean ended(Service service, int session) {
        return java.util.concurrent.CompletableFuture.supplyAsync(() -> service.jdbc()
                        .sql("select not exists (select from pg_stat_activity where pid = :pid)")
                        .param("pid", session)
                        .query(Boolean.class)
                        .single())
                .join();
    }

    @ParameterizedTest
    @CsvSource({"select 1 / 0", "select no_such_column", "select cast('x' as integer)"})
    void otherFailuresAreNoLimits(String sql, Service service) {
        assertThat(TimeLimit.reachedBy(failure(service, sql))).isEmpty();
    }

    private static Throwable failure(Service service, String... statements) {
        return catchThrowable(() -> service.bean(TransactionTemplate.class).executeWithoutResult(status -> {
            for (String sql : statements) {
                service.bean(org.springframework.jdbc.core.JdbcTemplate.class).execute(sql);
            }
        }));
    }
}
