package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedFinal;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.work.WorkedTimeRepository;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The limit of a study's time counts the time in which devices work on that study. */
@ExtendWith(RunningService.class)
class StudyTimeLimitTest {

    private static final Duration MOMENT = Duration.ofMillis(1);

    private static String submit(Api api, String device, int trials, String... problems) {
        String body = """
                {"problems":[%s],"family":"toy","strategy":"random","budget":{"trials":%d,"seconds":60},"device":"%s"}""".formatted(String.join(",", problems), trials, device);
        return api.post("/api/v1/jobs", body).expect(202).get("id").asString();
    }

    private static String problem(int m) {
        return "{\"m\":%d,\"n\":384,\"k\":256}".formatted(m);
    }

    private static Duration worked(Service service, Lease lease) {
        return service.bean(WorkedTimeRepository.class).of(lease.studyId());
    }

    private static void finish(ScriptedWorker worker, Lease last) {
        worker.report(last, new ScriptedFinal(1000, 0).report(last, (Work.Final) last.work()))
                .taken();
    }

    /** A worker holds the screens of the second study behind the final of the first one, which takes 100 s. */
    @Test
    void theFinalOfOneStudySpendsNoTimeOfTheNextOne(Api api, Service service) {
        String id = submit(api, "cuda", 4, problem(640), problem(704), problem(768));
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease behind = null;
        for (int study = 0; study < 3; study++) {
            for (int trial = 0; trial < 4; trial++) {
                Lease screen = trial == 0 && behind != null ? behind : worker.leaseOne();
                assertThat(screen.work()).as("study " + study).isInstanceOf(Work.Screen.class);
                service.work(Duration.ofSeconds(12), worker, screen);
                worker.complete(screen, 1000 + trial);
            }
            Lease last = worker.leaseOne();
            assertThat(last.work()).as("study " + study).isInstanceOf(Work.Final.class);
            service.clock().advance(MOMENT);
            behind = study == 2 ? null : worker.leaseOne();
            List<Lease> held = behind == null ? List.of(last) : List.of(last, behind);
            service.work(Duration.ofSeconds(100), worker, held);
            if (behind != null) {
                assertThat(worked(service, behind)).as("it waits").isZero();
            }
            finish(worker, last);
        }
        assertThat(api.result(id).get("studies")).hasSize(3).allSatisfy(study -> {
            assertThat(study.get("counts").get("completed").asInt()).isEqualTo(4);
            assertThat(study.get("best").isNull()).isFalse();
        });
    }

    @Test
    void devicesThatWorkAtTheSameTimeCountOnce(Api api, Service service) {
        submit(api, "cuda", 16, problem(640));
        ScriptedWorker one = ScriptedWorker.cuda(api, 0);
        ScriptedWorker two = ScriptedWorker.cuda(api, 1);
        Lease first = one.leaseOne();
        service.work(Duration.ofSeconds(4), one, first);
        Lease second = two.leaseOne();
        service.work(Duration.ofSeconds(4), two, second);
        one.heartbeat(first);
        two.complete(second, 1000);
        assertThat(worked(service, first))
                .as("one from 0 to 8 s, two from 4 to 8 s")
                .hasSeconds(8);
        service.work(Duration.ofSeconds(4), one, first);
        one.complete(first, 1000);
        assertThat(worked(service, first)).hasSeconds(12);

        service.silence(Duration.ofSeconds(500));
        assertThat(worked(service, first)).as("no device holds a lease").hasSeconds(12);
        Lease third = two.leaseOne();
        service.work(Duration.ofSeconds(47), two, third);
        assertThat(worked(service, first)).hasSeconds(59);
        two.complete(third, 1000);
        Lease last = two.leaseOne();
        service.work(Duration.ofSeconds(2), two, last);
        assertThat(one.lease(4)).as("the time is over").isEmpty();
    }

    /** It had the lease for 15 s of silence; then the next worker begins. */
    @Test
    void aWorkerThatIsLostCountsUntilItsLeaseIsTakenBack(Api api, Service service) {
        submit(api, "cuda", 16, problem(640));
        Lease lost = ScriptedWorker.cuda(api, 0).leaseOne();
        service.silence(Duration.ofSeconds(15));
        service.silence(Duration.ofSeconds(40));
        assertThat(worked(service, lost)).hasSeconds(15);
        ScriptedWorker next = ScriptedWorker.cuda(api, 1);
        Lease again = next.leaseOne();
        service.work(Duration.ofSeconds(5), next, again);
        assertThat(worked(service, lost)).hasSeconds(20);
    }

    @ParameterizedTest
    @ValueSource(ints = {-3600, 3600})
    void aClockThatIsSetSpendsNoTimeAndStopsNone(int seconds, Api api, Service service) {
        submit(api, "simulated:h200", 16, problem(640));
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease first = worker.leaseOne();
        service.work(Duration.ofSeconds(5), worker, first);
        worker.complete(first, 1000);
        Lease lease = worker.leaseOne();
        service.clock().leap(Duration.ofSeconds(seconds));
        assertThat(worked(service, lease)).as("before the service looks").hasSeconds(5);
        assertThat(worker.lease(1)).as("there is time left").hasSize(1);
        service.work(Duration.ofSeconds(10), worker, lease);
        worker.complete(lease, 1000);
        assertThat(worked(service, lease)).hasSeconds(15);
    }

    /** Workers may have gone on or not: a service that was away cannot tell. */
    @Test
    void anOutageOfTheServiceSpendsNoTime(Api api, Service service) {
        submit(api, "simulated:h200", 16, problem(640));
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = worker.leaseOne();
        service.work(Duration.ofSeconds(5), worker, lease);
        service.clock().advance(Duration.ofHours(1));
        assertThat(worked(service, lease)).isLessThanOrEqualTo(Duration.ofSeconds(5));
        service.work(Duration.ofSeconds(5), worker, lease);
        assertThat(worked(service, lease)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
    }

    @Test
    void aStudyWithoutALimitIsNotCounted(Api api, Service service) {
        String id = api.submit("simulated:h200", "random", 2, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        worker.complete(worker.leaseOne(), 1000);
        JsonNode study = api.job(id).get("studies").get(0);
        assertThat(service.bean(WorkedTimeRepository.class)
                        .of(UUID.fromString(study.get("id").asString())))
                .isZero();
        assertThat(service.jdbc()
                        .sql("select count(*) from worked_time")
                        .query(Integer.class)
                        .single())
                .isZero();
    }
}
