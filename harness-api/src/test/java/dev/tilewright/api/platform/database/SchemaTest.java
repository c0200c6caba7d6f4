package dev.tilewright.api.platform.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;

@ExtendWith(RunningService.class)
class SchemaTest {

    private static final List<String> VIEWS = List.of(
            "v_study", "v_trial", "v_final_arm", "v_final", "v_attempt", "v_worker", "v_gate_run", "v_gate_case");

    @Test
    void everyMigrationRanOnTheEmptyDatabase(Service service) {
        assertThat(service.jdbc()
                        .sql("select count(*) from flyway_schema_history where not success")
                        .query(Integer.class)
                        .single())
                .isZero();
        assertThat(service.jdbc()
                        .sql(
                                "select version from flyway_schema_history where version is not null order by installed_rank")
                        .query(String.class)
                        .list())
                .containsExactly(
                        "001", "002", "003", "004", "005", "006", "007", "008", "009", "010", "011", "012", "013",
                        "014", "015", "016", "017", "018", "019", "020", "021", "022", "023", "024", "025", "026",
                        "027", "028", "029", "031", "032", "033", "034", "035", "036", "037", "038", "039", "040",
                        "041", "042", "043", "044", "045", "046", "047", "048", "049", "050", "051", "052", "053",
                        "054");
    }

    @Test
    void ourPostgresLosesNothingWhenItIsKilled(Service service) {
        for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
            assertThat(service.jdbc().sql("show " + setting).query(String.class).single())
                    .isEqualTo("on");
        }
    }

    @Test
    void dashboardsReadViewsAndNothingElseCanBeDoneWithTheirRole(Api api, Service service) {
        api.submit("simulated:h200", "exhaustive", 100, "640x384x256");
        ScriptedWorker.simulated(api).workOff(1000, 1);
        service.bean(TransactionTemplate.class).executeWithoutResult(status -> {
            service.jdbc().sql("set local role tilewright_reader").update();
            for (String view : VIEWS) {
                assertThat(service.jdbc().sql("select * from " + view).query().listOfRows())
                        .isNotNull();
            }
            assertThat(service.jdbc()
                            .sql("select count(*) from v_trial where testbed_kind = 'simulated' and tflops is not null")
                            .query(Integer.class)
                            .single())
                    .isEqualTo(20);
            assertThat(service.jdbc()
                            .sql("select shape from v_study")
                            .query(String.class)
                            .single())
                    .isEqualTo("640x384x256");
        });
        assertThatThrownBy(() -> service.bean(TransactionTemplate.class).executeWithoutResult(status -> {
                    service.jdbc().sql("set local role tilewright_reader").update();
                    service.jdbc().sql("delete from trial").update();
                }))
                .isInstanceOf(DataAccessException.class)
                .rootCause()
                .hasMessageContaining("permission denied");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update trial set state = 'finished'",
                "update trial set state = 'lost'",
                "update trial set attempts = fence + 1",
                "update trial set config_hash = (select config_hash from trial order by ordinal limit 1)",
                "update study set state = 'finished'",
                "update study set testbed_id = null",
                "update job set state = 'finished'",
                "update measurement set median_ns = 1",
                "insert into measurement (study_id, trial_id, mode, stage, blocks, launches, median_ns, tflops, created_at)"
                        + " select study_id, id, 'sustained', 'final', 1, 1, 1, 1, now() from trial",
                "insert into lease (id, study_id, trial_id, worker_id, device, fence, attempt, granted_at, expires_at)"
                        + " select gen_random_uuid(), study_id, trial_id, worker_id, device, fence, attempt, granted_at, expires_at"
                        + " from lease where ended_at is null",
                "delete from testbed"
            })
    void theSchemaRefusesWhatTheCodeMustNotDo(String statement, Api api, Service service) {
        api.submit("simulated:h200", "random", 5, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        worker.complete(worker.leaseOne(), 100);
        worker.leaseOne();
        assertThatThrownBy(() -> service.jdbc().sql(statement).update())
                .satisfiesAnyOf(
                        failure -> assertThat(failure).isInstanceOf(DataIntegrityViolationException.class),
                        failure -> assertThat(failure).hasMessageContaining("written once"));
    }
}
