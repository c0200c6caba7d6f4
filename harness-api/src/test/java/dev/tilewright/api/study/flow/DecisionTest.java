package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.api.search.RandomStrategy;
import dev.tilewright.api.search.SearchAnswer;
import dev.tilewright.api.search.SearchQuestion;
import dev.tilewright.api.search.SearchStrategy;
import dev.tilewright.api.search.Strategies;
import dev.tilewright.api.study.SpaceRestriction;
import dev.tilewright.api.study.SpaceTrees;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.ToyFamily;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.Budget;
import dev.tilewright.model.exchange.StudyStage;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.parameter.Scheduler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

/** The next step of a study, from snapshots. */
class DecisionTest {

    /** Learns, and answers as a test wants. */
    private record Scripted(Function<SearchQuestion, SearchAnswer> answer) implements SearchStrategy {

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public boolean learns() {
            return true;
        }

        @Override
        public SearchAnswer ask(SearchQuestion question) {
            return answer.apply(question);
        }
    }

    private final SpaceTrees trees = new SpaceTrees();
    private final Asks asks = new Asks(Duration.ofSeconds(60), new SimpleMeterRegistry(), Clock.systemUTC());
    private Function<SearchQuestion, SearchAnswer> answer = question -> new SearchAnswer(
            question.space()
                    .configs()
                    .filter(config -> !question.history().configs().contains(config))
                    .limit(question.count())
                    .toList(),
            1);
    private final Search search = new Search(
            trees, new Strategies(List.of(new Scripted(question -> answer.apply(question)), new RandomStrategy())));
    private final Decision decision = new Decision(search, new Contenders(trees), asks);

    @BeforeEach
    void takePermit() throws InterruptedException {
        asks.takePermit();
    }

    @AfterEach
    void returnPermit() {
        asks.returnPermit();
    }

    private static Snapshots study(
            Testbed testbed, @Nullable Integer trials, @Nullable Integer seconds, int finalists) {
        return new Snapshots(
                new ToyFamily(),
                new ProblemShape(640, 384, 256),
                SpaceRestriction.NONE,
                "scripted",
                new Budget(trials, seconds, finalists),
                testbed);
    }

    private List<Config> configs(Snapshots of) {
        return trees.tree(
                        of.problem(),
                        of.family(),
                        of.restriction(),
                        of.testbed().smCount())
                .configs()
                .toList();
    }

    private static String scheduler(Config config) {
        return config.name(Scheduler.KEY.name());
    }

    @Test
    void aStudyThatHasNotAskedQueuesWhatTheStrategyAnswersButForTwinsAndShares() throws Exception {
        Snapshots of = study(ScriptedWorker.SIMULATED, 16, null, 0);
        StudySnapshot fresh = of.asked(List.of(), 0);
        assertThat(decision.needs(fresh)).isEqualTo(Decision.Needs.HISTORY);
        assertThat(decision.of(fresh)).isInstanceOfSatisfying(Step.Queue.class, queue -> {
            assertThat(queue.configs()).hasSize(12);
            assertThat(queue.last()).isFalse();
        });
    }

    /** Each by its own times alone, in turn, until it has its half of the trials or no more configs. */
    @Test
    void tileSchedulersThatAreComparedAreEachTunedOnTheirOwn() throws Exception {
        Snapshots of = study(ScriptedWorker.SIMULATED, 12, null, 0).comparing();
        List<SearchQuestion> questions = new ArrayList<>();
        Function<SearchQuestion, SearchAnswer> first = answer;
        answer = question -> {
            questions.add(question);
            return first.apply(question);
        };
        List<Config> queued = new ArrayList<>();
        Step step = decision.of(of.asked(List.of(), 0));
        while (step instanceof Step.Queue queue && !queue.last()) {
            queued.addAll(queue.configs());
            step = decision.of(of.asked(
                    queued.stream()
                            .map(config -> Snapshots.completed(config, 1000))
                            .toList(),
                    0));
        }
        assertThat(queued).hasSize(12).doesNotHaveDuplicates();
        assertThat(queued)
                .filteredOn(config -> scheduler(config).equals("static"))
                .hasSize(6);
        assertThat(questions).allSatisfy(question -> {
            assertThat(question.space().configs().map(DecisionTest::scheduler).distinct())
                    .hasSize(1);
            assertThat(question.history().configs()).allMatch(question.space()::contains);
        });

        StudySnapshot open = of.asked(queued.stream().map(Snapshots::open).toList(), 0);
        assertThat(decision.of(open)).isEqualTo(new Step.Wait());
    }

    /** A study with a list asks for it first, also beyond what the shares of schedulers and twins would leave. */
    @Test
    void listedConfigsComeFirstAndNothingElseWhereTheBudgetIsTheirs() throws Exception {
        List<Config> listed = configs(study(ScriptedWorker.SIMULATED, 5, null, 0)).reversed().stream()
                .limit(5)
                .toList();
        Snapshots of = new Snapshots(
                new ToyFamily(),
                new ProblemShape(640, 384, 256),
                SpaceRestriction.NONE,
                "scripted",
                new Budget(5, null, 0),
                ScriptedWorker.SIMULATED,
                listed,
                false);
        assertThat(decision.of(of.asked(List.of(), 0))).isEqualTo(new Step.Queue(listed, null, false));

        StudySnapshot open = of.asked(listed.stream().map(Snapshots::open).toList(), 0);
        assertThat(decision.of(open)).isEqualTo(new Step.Wait());
        StudySnapshot begun =
                of.asked(listed.stream().limit(3).map(Snapshots::open).toList(), 0);
        assertThat(decision.of(begun)).isEqualTo(new Step.Queue(listed.subList(3, 5), null, false));
    }

    @Test
    void workersThatHaveEnoughAreLeftAloneAndNoHistoryIsRead() throws Exception {
        Snapshots of = study(ScriptedWorker.SIMULATED, 16, null, 0);
        StudySnapshot busy =
                of.asked(configs(of).stream().limit(14).map(Snapshots::open).toList(), 0);
        assertThat(decision.needs(busy)).isEqualTo(Decision.Needs.NOTHING_MORE);
        assertThat(decision.of(busy)).isEqualTo(new Step.Wait());
    }

    /** A worker that leases more the more it finds does not queue a minute of long trials before the first is over. */
    @Test
    void untilTheFirstTrialsAreOverOnlyTheLeastIsOpen() throws Exception {
        Snapshots of = study(ScriptedWorker.H200, null, null, 3);
        List<Config> all = configs(of);
        // How many are open is all that counts, so that a small space will do.
        List<TrialRepository.Seen> open = IntStream.range(0, 32)
                .mapToObj(i -> Snapshots.open(all.get(i % all.size())))
                .toList();
        assertThat(decision.needs(of.asked(open, 0))).isEqualTo(Decision.Needs.NOTHING_MORE);
        assertThat(decision.of(of.asked(open, 0))).isEqualTo(new Step.Wait());

        List<TrialRepository.Seen> begun = Stream.concat(
                        IntStream.range(0, 8).mapToObj(i -> Snapshots.completed(all.get(i), 1000)), open.stream())
                .toList();
        assertThat(decision.needs(of.asked(begun, 0))).isEqualTo(Decision.Needs.HISTORY);
    }

    /** Seven are open, and the twin of the best was not asked for. */
    @Test
    void theTwinOfTheBestIsAskedForWhileTheLastTrialsAreOpen() throws Exception {
        Snapshots of = study(ScriptedWorker.SIMULATED, 16, null, 0);
        List<Config> single = configs(of).stream()
                .filter(config -> scheduler(config).equals("single"))
                .toList();
        List<Config> others = configs(of).stream()
                .filter(config -> scheduler(config).equals("static"))
                .filter(config -> config.whole("tileM") != single.getFirst().whole("tileM"))
                .limit(4)
                .toList();
        List<TrialRepository.Seen> seen = Stream.concat(
                        IntStream.range(0, 10)
                                .mapToObj(number -> number < 7
                                        ? Snapshots.completed(single.get(number), 1000 + number)
                                        : Snapshots.open(single.get(number))),
                        others.stream().map(Snapshots::open))
                .toList();
        assertThat(decision.of(of.asked(seen, 0)))
                .isInstanceOfSatisfying(
                        Step.Queue.class,
                        queue -> assertThat(queue.configs()).singleElement().satisfies(twin -> {
                            assertThat(scheduler(twin)).isEqualTo("static");
                            assertThat(twin.whole("tileM"))
                                    .isEqualTo(single.getFirst().whole("tileM"));
                        }));
    }

    /** Eight trials of one scheduler took a second, or a minute; the search has no more. */
    @Test
    void twinsThatWouldLastTooLongAreLeftOut() throws Exception {
        answer = question -> new SearchAnswer(List.of(), 0);
        Snapshots of = study(ScriptedWorker.SIMULATED, null, null, 0);
        List<Config> single = configs(of).stream()
                .filter(config -> scheduler(config).equals("single"))
                .toList();
        List<TrialRepository.Seen> seen = Stream.concat(
                        IntStream.range(0, 8)
                                .mapToObj(number -> Snapshots.completed(single.get(number), 1000 + number)),
                        configs(of).stream()
                                .filter(config -> scheduler(config).equals("static"))
                                .filter(config -> config.whole("tileM")
                                        != single.getFirst().whole("tileM"))
                                .limit(6)
                                .map(Snapshots::open))
                .toList();
        assertThat(decision.of(of.asked(seen, 0))).isInstanceOf(Step.Queue.class);
        assertThat(decision.of(of.asked(seen, 0).with(seen, Duration.ofSeconds(60))))
                .isEqualTo(new Step.Wait());
    }

    /** All that was tried is noise: the last open trials are waited for, then the sweep is over. */
    @Test
    void aSweepOnAGpuThatIsNeverLeftAloneIsGivenUp() throws Exception {
        Snapshots of = study(ScriptedWorker.SIMULATED, null, null, 0);
        List<TrialRepository.Seen> noise = configs(of).stream()
                .limit(32)
                .map(config -> new TrialRepository.Seen(config, TrialOutcome.NOISE, null))
                .toList();
        List<TrialRepository.Seen> one = Stream.concat(
                        noise.stream(), Stream.of(Snapshots.open(configs(of).getLast())))
                .toList();
        assertThat(decision.of(of.asked(one, 0))).isEqualTo(new Step.Wait());
        assertThat(decision.of(of.asked(noise, 0)))
                .isInstanceOfSatisfying(
                        Step.Queue.class,
                        queue -> assertThat(queue.last() && queue.configs().isEmpty())
                                .isTrue());
    }

    /** Of the open trials one is the twin of the best before; then another one completes and is better. */
    @Test
    void theTwinOfABetterOneFollows() throws Exception {
        Snapshots of = study(ScriptedWorker.SIMULATED, 16, null, 0);
        List<Config> all = configs(of);
        List<Config> single = all.stream()
                .filter(config -> scheduler(config).equals("single"))
                .toList();
        Config twin = all.stream()
                .filter(config -> scheduler(config).equals("static"))
                .filter(config -> withoutScheduler(config).equals(withoutScheduler(single.getFirst())))
                .findFirst()
                .orElseThrow();
        List<TrialRepository.Seen> seen = Stream.concat(
                        IntStream.range(0, 10)
                                .mapToObj(number -> number < 8
                                        ? Snapshots.completed(single.get(number), number == 7 ? 900 : 1000 + number)
                                        : Snapshots.open(single.get(number))),
                        Stream.of(Snapshots.open(twin)))
                .toList();
        List<TrialRepository.Seen> padded = Stream.concat(
                        seen.stream(),
                        all.stream()
                                .filter(config -> scheduler(config).equals("static"))
                                .filter(config -> !config.equals(twin)
                                        && !withoutScheduler(config).equals(withoutScheduler(single.get(7))))
                                .limit(4)
                                .map(Snapshots::open))
                .toList();
        assertThat(decision.of(of.asked(padded, 0)))
                .isInstanceOfSatisfying(
                        Step.Queue.class,
                        queue -> assertThat(queue.configs())
                                .singleElement()
                                .satisfies(next ->
                                        assertThat(withoutScheduler(next)).isEqualTo(withoutScheduler(single.get(7)))));
    }

    private static Config withoutScheduler(Config config) {
        return config.only(config.values().keySet().stream()
                .filter(name -> !name.equals(Scheduler.KEY.name()))
                .toList());
    }

    @Test
    void whenTheTimeIsOverNothingMoreIsAskedFor() throws Exception {
        Snapshots of = study(ScriptedWorker.SIMULATED, null, 60, 0);
        assertThat(decision.of(of.asked(List.of(), 59))).isInstanceOf(Step.Queue.class);
        StudySnapshot late = of.asked(List.of(), 60);
        assertThat(decision.needs(late)).isEqualTo(Decision.Needs.NOTHING_MORE);
        assertThat(decision.of(late)).isEqualTo(new Step.Stop("the 60 s of the budget were over"));
    }

    @Test
    void aSweepThatIsOverIsFollowedByARaceOnAGpuAlone() throws Exception {
        Snapshots gpu = study(ScriptedWorker.H200, 100, null, 3);
        StudySnapshot swept = gpu.swept(configs(gpu), _ -> 1000);
        assertThat(decision.needs(swept)).isEqualTo(Decision.Needs.SCREENS);
        assertThat(decision.of(swept)).isInstanceOf(Step.Race.class);

        Snapshots model = study(ScriptedWorker.SIMULATED, 100, null, 3);
        assertThat(decision.of(model.swept(configs(model), _ -> 1000))).isEqualTo(new Step.End());
        Snapshots without = study(ScriptedWorker.H200, 100, null, 0);
        StudySnapshot unwanted = without.swept(configs(without), _ -> 1000);
        assertThat(decision.needs(unwanted)).isEqualTo(Decision.Needs.NOTHING_MORE);
        assertThat(decision.of(unwanted)).isEqualTo(new Step.End());
    }

    @Test
    void withoutACompletedTrialThereIsNoFinal() throws Exception {
        Snapshots gpu = study(ScriptedWorker.H200, 1, null, 3);
        assertThat(decision.of(gpu.exhausted(0, 0, StudyStage.SWEEP))).isEqualTo(new Step.End());
    }

    @Test
    void anOpenTrialOrAFinalThatRunsIsWaitedFor() throws Exception {
        Snapshots gpu = study(ScriptedWorker.H200, 10, null, 3);
        assertThat(decision.of(gpu.exhausted(9, 1, StudyStage.SWEEP))).isEqualTo(new Step.Wait());
        assertThat(decision.of(gpu.exhausted(10, 0, StudyStage.RACE))).isEqualTo(new Step.Wait());
        assertThat(decision.of(gpu.exhausted(10, 0, StudyStage.FINAL))).isEqualTo(new Step.Wait());
    }

    @Test
    void aStrategyThatIsWrongFailsItsStudyWithTheReason() throws Exception {
        StudySnapshot fresh = study(ScriptedWorker.SIMULATED, 16, null, 0).asked(List.of(), 0);
        answer = question -> new SearchAnswer(
                question.space().configs().limit(question.count() + 1).toList(), 1);
        assertThat(decision.of(fresh))
                .isEqualTo(new Step.Fail("strategy 'scripted' failed: java.lang.IllegalStateException: it asked for 13"
                        + " configs where 12 were wanted"));
        answer = _ -> {
            throw new LinkageError("half of it is missing");
        };
        assertThat(decision.of(fresh))
                .isEqualTo(new Step.Fail("strategy 'scripted' failed: java.lang.LinkageError: half of it is missing"));
    }

    /** The driver asks again when the database is back. */
    @Test
    void aDatabaseThatDoesNotAnswerIsNoVerdict() {
        StudySnapshot fresh = study(ScriptedWorker.SIMULATED, 16, null, 0).asked(List.of(), 0);
        answer = _ -> {
            throw new CannotGetJdbcConnectionException("the pool is exhausted");
        };
        assertThatThrownBy(() -> decision.of(fresh)).isInstanceOf(DataAccessException.class);
    }
}
