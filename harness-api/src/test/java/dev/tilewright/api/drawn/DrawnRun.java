package dev.tilewright.api.drawn;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.AskTimes;
import dev.tilewright.api.testing.Latencies;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Drawn problems with one strategy: even numbers on an H200 and odd ones on a B200, both at once, so that two cores are
 * busy; meanwhile somebody sends heartbeats and polls the jobs.
 *
 * @param studies by the name of the GPU
 * @param asks what the driver's timer was told
 */
record DrawnRun(
        String strategy,
        Map<String, List<DrawnStudies.Ended>> studies,
        List<AskTimes.Ask> asks,
        Latencies heartbeats,
        Latencies polls,
        Duration took) {

    private static final List<GpuConstants> GPUS = List.of(SimulatedGpus.H200, SimulatedGpus.B200);
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(20);

    /** Every so often a request, timed by who sends it. */
    private static final class Polling implements Runnable {
        private final List<DrawnStudies> lanes;
        private final List<Duration> heartbeats = new ArrayList<>();
        private final List<Duration> polls = new ArrayList<>();
        private volatile boolean ended;

        Polling(List<DrawnStudies> lanes) {
            this.lanes = lanes;
        }

        @Override
        public void run() {
            while (!ended) {
                for (DrawnStudies lane : lanes) {
                    poll(lane);
                }
            }
        }

        private void poll(DrawnStudies lane) {
            DrawnStudies.Current current = lane.current();
            ScriptedWorker worker = lane.worker().worker();
            if (!current.job().isEmpty()) {
                heartbeats.add(timed(() -> worker.work("/api/v1/heartbeats", worker.beat(current.held()))));
                polls.add(timed(() -> worker.api().get("/api/v1/jobs/" + current.job())));
            }
            try {
                Thread.sleep(BETWEEN_POLLS);
            } catch (InterruptedException stopping) {
                ended = true;
            }
        }

        private static Duration timed(Supplier<Api.Answer> request) {
            long sent = System.nanoTime();
            Api.Answer answer = request.get();
            Duration took = Duration.ofNanos(System.nanoTime() - sent);
            answer.expect(200);
            return took;
        }
    }

    static DrawnRun of(DrawnProblems drawn, int first, int count, String strategy, Service service) throws Exception {
        AskTimes times = service.bean(AskTimes.class);
        times.take();
        long started = System.nanoTime();
        List<DrawnStudies> lanes = IntStream.range(0, GPUS.size())
                .mapToObj(lane -> new DrawnStudies(
                        drawn,
                        IntStream.range(first, first + count)
                                .filter(number -> number % GPUS.size() == lane)
                                .boxed()
                                .toList(),
                        strategy,
                        GPUS.get(lane),
                        family(GPUS.get(lane)),
                        service))
                .toList();
        Polling polling = new Polling(lanes);
        Map<String, List<DrawnStudies.Ended>> studies = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<?> polls = threads.submit(polling);
            List<Future<List<DrawnStudies.Ended>>> running =
                    lanes.stream().map(threads::submit).toList();
            try {
                for (int lane = 0; lane < GPUS.size(); lane++) {
                    studies.put(GPUS.get(lane).name(), running.get(lane).get());
                }
            } finally {
                polling.ended = true;
            }
            polls.get();
        }
        return new DrawnRun(
                strategy,
                studies,
                times.take(),
                Latencies.of(polling.heartbeats),
                Latencies.of(polling.polls),
                Duration.ofNanos(System.nanoTime() - started));
    }

    private static FamilySpace family(GpuConstants gpu) {
        return Architecture.ofDevice(gpu.name())
                .flatMap(Families.standard()::of)
                .orElseThrow();
    }

    /** Times of what was asked about one of these. */
    Latencies asks(String... about) {
        return Latencies.of(asks.stream()
                .filter(ask -> List.of(about).contains(ask.about()))
                .map(AskTimes.Ask::time)
                .toList());
    }

    List<DrawnStudies.Ended> all() {
        return studies.values().stream().flatMap(List::stream).toList();
    }

    List<String> failures() {
        return all().stream()
                .map(DrawnStudies.Ended::failure)
                .filter(failure -> !failure.isEmpty())
                .toList();
    }

    @Override
    public String toString() {
        return "%s: %d studies in %d s; first asks %s; next asks %s; spaces %s; twins %s; heartbeats %s; GET /jobs/{id} %s"
                .formatted(
                        strategy,
                        all().size(),
                        took.toSeconds(),
                        asks("first"),
                        asks("next"),
                        asks("space"),
                        asks("twins"),
                        heartbeats,
                        polls);
    }
}
