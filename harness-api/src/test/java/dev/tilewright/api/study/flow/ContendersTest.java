package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.search.Prediction;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.simulator.LaunchModels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who races for the final where the screens alone do not say. */
@ExtendWith(RunningService.class)
class ContendersTest {

    private static final List<String> TILE = List.of("tileN", "clusterM");

    private static final List<String> HINT_NAMES = List.of("none", "keepA", "keepB");

    /** One tile in bands along M, with each hint; B passes through while the band of A is wanted again and again. */
    private static final String HINTS = job("""
            "l2Hint":["none","keepA","keepB"],"tileN":[152],"clusterM":[1]""");

    /** The same in bands of three widths, each with four or five stages. */
    private static final String BANDS = HINTS.replace("\"rasterGroup\":[16]", "\"rasterGroup\":[4,8,16]")
            .replace("\"loadStages\":[5]", "\"loadStages\":[4,5]");

    /** Twelve tiles with three hints each. */
    private static final String TILES = job("""
            "l2Hint":["none","keepA","keepB"],"tileN":[136,144,152,160,168,176],"clusterM":[1,2]""");

    private static String job(String parameters) {
        return """
            {"problems":[{"m":5000,"n":6000,"k":5056}],"family":"sm90-gemm","strategy":"exhaustive","device":"cuda",
            "schedulers":["static"],"parameters":{%s,"mode":["pingpong"],"tileM":[128],
            "tileK":[64],"consumers":[2],"loadStages":[5],"clusterN":[1],
            "rasterOrder":["groupedM"],"rasterGroup":[16],"registers":[232],"swizzle":[128],"epilogueN":[32],
            "epilogueStages":[2],"waitDepth":[1],"gridSize":[0],"l2Promotion":[128],"loadStart":["free"],"clusterOrder":["launch"],"splitK":[1],"streamK":["none"],"ctasPerSm":[1],
            "multicast":["none"],"tileLocation":["raster"]}}""".formatted(parameters);
    }

    @Test
    void ofEqualScreensTheOneThatDrawsLeastIsFirst(Api api) {
        api.post("/api/v1/jobs", HINTS).expect(202);
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        List<Lease> leases = worker.lease(1);
        while (leases.getFirst().work() instanceof Work.Screen) {
            worker.report(leases.getFirst(), worker.completed(leases.getFirst(), 400_000))
                    .taken();
            leases = worker.lease(1);
        }
        Work.Final last = (Work.Final) leases.getFirst().work();
        assertThat(last.contenders()).hasSize(3);
        assertThat(last.contenders().getFirst().config().name("l2Hint")).isEqualTo("keepA");
    }

    @Test
    void aTeamHasSixMembersAtTheMost(Api api) {
        api.post("/api/v1/jobs", BANDS).expect(202);
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        List<Lease> leases = worker.lease(1);
        int screens = 0;
        while (leases.getFirst().work() instanceof Work.Screen) {
            screens++;
            worker.report(leases.getFirst(), worker.completed(leases.getFirst(), 400_000))
                    .taken();
            leases = worker.lease(1);
        }
        assertThat(screens).isEqualTo(18);
        assertThat(((Work.Final) leases.getFirst().work()).contenders())
                .hasSize(6)
                .extracting(Work.Contender::team)
                .containsOnly(0);
    }

    /** Kernels of a hint differ in their stages alone: a screen can tell these apart. */
    @Test
    void ofATileEachWayToWalkItIsInBeforeASecondOfAny(Api api) {
        api.post("/api/v1/jobs", HINTS.replace("\"loadStages\":[5]", "\"loadStages\":[3,4,5]"))
                .expect(202);
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        List<Lease> leases = worker.lease(1);
        while (leases.getFirst().work() instanceof Work.Screen screen) {
            double expected = 400_000
                    * (1
                            + HINT_NAMES.indexOf(screen.config().name("l2Hint")) / 100.0
                            + (5 - screen.config().whole("loadStages")) / 1000.0);
            worker.report(
                            leases.getFirst(),
                            worker.completed(leases.getFirst(), screened(leases.getFirst(), screen, expected)))
                    .taken();
            leases = worker.lease(1);
        }
        assertThat(((Work.Final) leases.getFirst().work()).contenders())
                .extracting(contender -> contender.config().name("l2Hint") + " "
                        + contender.config().whole("loadStages"))
                .containsExactly("none 5", "keepA 5", "keepB 5", "none 4", "keepA 4", "keepB 4");
    }

    /** All within 2 % of the best, and each hint of a tile before the next tile. */
    @Test
    void theFastestTilesEachHaveATeamClustersToldApart(Api api) {
        api.post("/api/v1/jobs", TILES).expect(202);
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        List<Lease> leases = worker.lease(1);
        Map<Config, Integer> places = new HashMap<>();
        Map<Config, List<Config>> seen = new HashMap<>();
        while (leases.getFirst().work() instanceof Work.Screen screen) {
            Config tile = screen.config().only(TILE);
            int place = places.computeIfAbsent(tile, _ -> places.size());
            List<Config> hints = seen.computeIfAbsent(tile, _ -> new ArrayList<>());
            double expected = 400_000 * (1 + place / 600.0 + hints.size() / 3000.0);
            hints.add(screen.config());
            worker.report(
                            leases.getFirst(),
                            worker.completed(leases.getFirst(), screened(leases.getFirst(), screen, expected)))
                    .taken();
            leases = worker.lease(1);
        }
        Work.Final last = (Work.Final) leases.getFirst().work();
        assertThat(places).hasSize(12);
        Map<Integer, List<Config>> teams = last.contenders().stream()
                .collect(Collectors.groupingBy(
                        Work.Contender::team, Collectors.mapping(Work.Contender::config, Collectors.toList())));
        assertThat(teams).as("six of the twelve tiles").hasSize(6);
        places.forEach((tile, place) -> {
            if (place < 6) {
                assertThat(teams.get(place)).as("the fastest first").isEqualTo(seen.get(tile));
            }
        });
    }

    /** What a screen has to take for this to be expected of it in the long run: the expectation is a power of it. */
    private static double screened(Lease lease, Work.Screen screen, double expected) {
        Prediction prediction = new Prediction(LaunchModels.ofDevice("h200").orElseThrow(), lease.problem());
        double ofOne = prediction.settling(screen.config(), 1);
        double ofTen = 10 * prediction.settling(screen.config(), 10);
        return Math.pow(expected / ofOne, 1 / Math.log10(ofTen / ofOne));
    }
}
