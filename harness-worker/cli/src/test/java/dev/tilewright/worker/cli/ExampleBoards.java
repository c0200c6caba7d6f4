package dev.tilewright.worker.cli;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import dev.tilewright.model.exchange.ComparisonDocument;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.range.MeanLoss;
import dev.tilewright.model.range.RangePhase;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.simulator.Predictions;
import dev.tilewright.simulator.RangePredictions;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.worker.cli.board.BestTable;
import dev.tilewright.worker.cli.board.Board;
import dev.tilewright.worker.cli.board.ComparisonText;
import dev.tilewright.worker.cli.board.ConfigTables;
import dev.tilewright.worker.cli.board.LadderDocument;
import dev.tilewright.worker.cli.board.LadderTable;
import dev.tilewright.worker.cli.board.Leaderboard;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.cli.board.PredictionTable;
import dev.tilewright.worker.cli.board.RacedTable;
import dev.tilewright.worker.cli.board.RangeBoard;
import dev.tilewright.worker.cli.board.RangeTable;
import dev.tilewright.worker.cli.board.Samples;
import dev.tilewright.worker.cli.board.SchedulersBoard;
import dev.tilewright.worker.cli.board.ShapesTable;
import dev.tilewright.worker.cli.capture.CapturePlan;
import dev.tilewright.worker.cli.capture.CaptureReader;
import dev.tilewright.worker.cli.capture.PlanTable;
import dev.tilewright.worker.cli.gate.report.GateRuns;
import dev.tilewright.worker.cli.gate.report.GateTable;
import dev.tilewright.worker.cli.refresh.RefreshTable;
import dev.tilewright.worker.cli.refresh.Refreshed;
import dev.tilewright.worker.link.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Boards of example documents, with long names and all the columns that they may have. */
final class ExampleBoards {

    private static final Path RECORDING = Path.of("../../docs/examples/capture/llama");
    private static final ProblemShape SHAPE = new ProblemShape(1000, 520, 256);
    private static final Problem PROBLEM = Problem.of(SHAPE, DataType.BF16);

    private static final String TESTBED = """
            {"kind":"cuda","device":"NVIDIA H200","driver":"580.95.05","assembler":"ptxas 13.0.88","smCount":132,
            "clockPolicy":"factory"}""";

    private static final String CONFIG = """
            {"scheduler":"static","tileM":128,"tileN":256,"tileK":64,"loadStages":4}""";

    private ExampleBoards() {}

    private static <T> T read(String json, Class<T> type) {
        return Json.mapper().readValue(json.replace("TESTBED", TESTBED).replace("CONFIG", CONFIG), type);
    }

    private static BestConfigs best() {
        String item = """
                {"problem":{"m":%d,"n":4096,"k":512,"dtype":"bf16"},"shape":"%1$dx4096x512","dtype":"bf16",
                "family":"sm90-gemm","testbed":TESTBED,"config":CONFIG,"tflops":687.2,"medianNs":50000.0,
                "ciLowNs":49500.0,"ciHighNs":50600.0,"ratioToDefault":1.25,"ratioToBestPeer":0.994,
                "ratioToBestPeerCi":[0.987,1.001],"finishedAt":"2026-11-21T10:00:41Z",
                "trialId":"3153c195-457f-432b-af6c-aa492dbe5604","stale":"%s"}""";
        return read(
                "{\"note\":null,\"items\":[" + item.formatted(8192, "a worker has driver 590.48.01 now") + ","
                        + item.formatted(96, "its family has a new build") + "]}",
                BestConfigs.class);
    }

    private static List<Refreshed> refreshed() {
        BestConfig one = best().items().getFirst();
        BestConfig other = best().items().getLast();
        return List.of(
                Refreshed.timed(one, one.config(), new Refreshed.Time(52000, 1.1)),
                Refreshed.retune(other, "it is refused today: tileM has no value 128, which is one of 64, 192 and 256"),
                Refreshed.undecided(other, "no worker offers NVIDIA H200"));
    }

    private static ComparisonText comparison() {
        String blocks = IntStream.range(0, 200)
                .mapToObj(i -> block(i, "first", 10_200 + i) + "," + block(i, "second", 10_000))
                .collect(Collectors.joining(",", "[", "]"));
        Compared compared = read("""
                {"type":"compared","verdict":"inconclusive","ratio":{"value":0.9795,"low":0.9791,"high":0.9799,"blocks":200},
                "first":{"name":"first","outcome":"completed","errorRatio":0.9,"log":""},
                "second":{"name":"second","outcome":"completed","errorRatio":0.9,"log":"a warning of this kernel"},
                "blocks":%s,"discards":[],"doubts":["the clock of the GPU moved by more than a tenth within most blocks"],
                "gpu":"GPU-1","gpuSeconds":0.7,"log":"libcublas 13"}""".formatted(blocks), Compared.class);
        return new ComparisonText(read("""
                {"id":"7a3be40c-56b1-402b-b07b-1b109bbcf5e0","state":"finished","problem":{"m":512,"n":256,"k":128},
                "first":{"type":"own","family":"sm90-gemm","config":CONFIG},
                "second":{"type":"own","family":"bundle:example@0123456789abcdef","config":{"variant":"w4-s3-e9861c80"}},
                "measureEqual":false,"seed":1,"device":"auto","testbed":TESTBED,"result":null,"error":null}""", ComparisonDocument.class), compared);
    }

    private static String block(int index, String arm, double ns) {
        return """
                {"stage":"final","question":"same_clock","mode":"sustained","index":%d,"position":0,"arm":"%s",
                "launchNs":%s,"smClockMhz":1700.0,"throttleReasons":0}""".formatted(index, arm, ns);
    }

    private static LadderTable ladder() {
        String step = """
                {"step":"sm90/v%d","adds":"a ring of four stages, which the producer warp fills ahead of both consumers",
                "outcome":"%s","errorRatio":0.5,"sustained":%s,"log":"the kernel did not end within ten seconds"}""";
        String sustained = """
                {"mode":"sustained","stage":"final","blocks":20,"launches":200,"medianNs":37192.5,"ciLowNs":37000.0,
                "ciHighNs":37400.0,"tflops":577.4,"smClockMhz":1491.8}""";
        return new LadderTable(
                read(
                        """
                        {"schemaVersion":1,"commit":"","testbed":TESTBED,"problem":{"m":1000,"n":520,"k":256},"seed":1,
                        "steps":[%s,%s,%s],"neighbours":["another process computes"],"blocks":[],"log":""}""".formatted(
                                        step.formatted(0, "completed", sustained),
                                        step.formatted(1, "completed", sustained),
                                        step.formatted(2, "timeout", "null")),
                        LadderDocument.class),
                PROBLEM);
    }

    private static StudyResult study(String sample) {
        return Samples.result(sample).studies().getFirst();
    }

    private static SchedulersBoard schedulers() {
        return SchedulersBoard.of(IntStream.of(0, 8, 16, 24, 32)
                .mapToObj(busy -> Samples.with(
                        study("grouped.json"),
                        json -> json.withObject("/problem/scenario").put("busySms", busy)))
                .toList());
    }

    private static ResultDocument ranged() {
        ResultDocument shapes = Samples.result("simulated.json");
        RangePredictions predictions = ranges();
        RangeDocument.Table table = new RangeDocument.Table(
                320, predictions.kernels(), List.of(10, 200), true, 7, 15, predictions.regret(), predictions.lost());
        return new ResultDocument(
                ResultDocument.SCHEMA_VERSION,
                shapes.job(),
                List.of(new RangeDocument(ProblemDocument.of(range()), "sm90-gemm", RangePhase.OVER, table, null)),
                shapes.studies().stream()
                        .map(study -> Samples.with(
                                study,
                                json -> json.set(
                                        "ofRange", Json.mapper().readTree("{\"range\":0,\"phase\":\"search\"}"))))
                        .toList());
    }

    private static RangedProblem range() {
        return new RangedProblem(
                new ShapeRange(1, 256, 512, 256), Problem.of(new ProblemShape(1, 512, 256), DataType.BF16));
    }

    private static Config config() {
        return study("simulated.json").trials().getFirst().config();
    }

    private static RangePredictions ranges() {
        Regret regret = Regret.of(List.of(new Regret.Check(10, 5.1, 5.1), new Regret.Check(200, 10.4, 10)));
        List<Span> kernels = List.of(new Span(1, 128, config(), 5.1, 5.2), new Span(129, 256, config(), 5.3, 12.8));
        return new RangePredictions(
                "simulated",
                "h200",
                "constants-8",
                "sm90-gemm",
                "1-256x512x256 bf16",
                320,
                7,
                true,
                kernels,
                regret,
                List.of(new MeanLoss(2, 0.021)));
    }

    private static Predictions predictions() {
        return new Predictions(
                "simulated",
                "h200",
                "constants-8",
                "sm90-gemm",
                "1000x520x256 bf16",
                211_600,
                IntStream.of(1, 2, 3)
                        .mapToObj(rank -> new Predictions.Pick(
                                rank, config(), "--set tileM=128", 5.1 * rank, 600.5, 1830, 0.97, "tensor", "waves"))
                        .toList());
    }

    static RacedTable raced() {
        Config config = Config.parse("scheduler=static tileM=128 tileN=256 tileK=64 loadStages=4");
        Config other = config.with("scheduler=atomic");
        return new RacedTable(
                ranged().ranges().getFirst().problem(),
                "sm90-gemm",
                "NVIDIA H200",
                1,
                false,
                true,
                4,
                List.of(
                        new RacedTable.Row(17, config, other, 5.25, new Ratio(0.98, 0.97, 0.99, 20), null),
                        new RacedTable.Row(96, config, config, 6.5, RacedTable.EQUAL, null),
                        new RacedTable.Row(
                                4096, config, other, 6.5, null, "no race: tileM: 256 rows are more than there are"),
                        new RacedTable.Row(5000, config, null, 0, null, "no kernel completed")));
    }

    /** At least one of each class. */
    static Stream<Board> all() {
        ResultDocument shapes = Samples.result("cuda.json");
        List<ListedShape> listed = shapes.studies().stream()
                .map(study -> new ListedShape("model.layers.0-31.self_attn.qkv_proj", 32.0))
                .toList();
        return Stream.of(
                new Leaderboard(study("cuda.json"), 10),
                new Leaderboard(study("simulated.json"), 10),
                new Leaderboard(study("emulated.json"), 10),
                new Leaderboard(study("grouped.json"), 10),
                new TuneReport(shapes, listed, 5, true, ""),
                new ShapesTable(shapes.studies(), listed),
                new RangeBoard(ranged(), 0),
                new RangeTable(ranges(), range(), ""),
                raced(),
                new PredictionTable(predictions(), PROBLEM),
                schedulers(),
                new BestTable(best(), ""),
                new BestTable(new BestConfigs("", null, List.of()), " for shape 1024x1024x1024 on a GPU named H200"),
                new RefreshTable(refreshed()),
                comparison(),
                ladder(),
                new GateTable(GateRuns.ofEverything(), FailOn.REGRESSION),
                new GateTable(GateRuns.failed("no worker offers cuda:0, and none came within 60 s"), FailOn.WARN),
                new PlanTable(
                        CapturePlan.of(CaptureReader.read("--from", RECORDING), 0.01, Optional.of(SimulatedGpus.H200))),
                ConfigTables.values(Families.standard().usual().space(PROBLEM, DeviceLimits.of(132))));
    }
}
