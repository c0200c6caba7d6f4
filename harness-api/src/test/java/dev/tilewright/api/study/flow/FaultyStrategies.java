package dev.tilewright.api.study.flow;

import dev.tilewright.api.search.SearchAnswer;
import dev.tilewright.api.search.SearchQuestion;
import dev.tilewright.api.search.SearchStrategy;
import dev.tilewright.api.search.Strategies;
import dev.tilewright.model.space.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Strategies that do what none may do, beside those of Tilewright. */
final class FaultyStrategies {

    private static final String OUTSIDE = "rasterGroup=1 scheduler=single tileM=32 tileN=64";

    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger thinking = new AtomicInteger();

    /** Puts them into a service; not annotated, so that no other service finds it. */
    static class Replacement {

        @Bean
        FaultyStrategies faultyStrategies() {
            return new FaultyStrategies();
        }

        @Bean
        @Primary
        Strategies allStrategies(List<SearchStrategy> standard, FaultyStrategies faulty) {
            List<SearchStrategy> all = new ArrayList<>(standard);
            all.addAll(faulty.all());
            return new Strategies(all);
        }
    }

    /** What a strategy answers. */
    private interface Behaviour {
        List<Config> configs(SearchQuestion question) throws InterruptedException;
    }

    private record Faulty(String name, Behaviour behaviour) implements SearchStrategy {

        @Override
        public boolean learns() {
            return false;
        }

        @Override
        public SearchAnswer ask(SearchQuestion question) {
            try {
                return new SearchAnswer(behaviour.configs(question), Double.POSITIVE_INFINITY);
            } catch (InterruptedException hurried) {
                throw new IllegalStateException("interrupted", hurried);
            }
        }
    }

    private List<SearchStrategy> all() {
        return List.of(
                new Faulty("sleeps", _ -> {
                    new CountDownLatch(1).await();
                    return List.of();
                }),
                new Faulty("spins", _ -> {
                    while (over.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    return List.of();
                }),
                new Faulty("throws", _ -> {
                    throw new LinkageError("half of it is missing");
                }),
                new Faulty("outside", _ -> List.of(Config.parse(OUTSIDE))),
                new Faulty(
                        "repeats",
                        question -> question.space().configs().limit(1).toList()),
                new Faulty(
                        "greedy",
                        question -> question.space()
                                .configs()
                                .limit(question.count() + 1)
                                .toList()),
                new Faulty("held", this::whenOver));
    }

    /** Right, but only when the test says so. */
    private List<Config> whenOver(SearchQuestion question) throws InterruptedException {
        thinking.incrementAndGet();
        over.await();
        Stream<Config> left = question.space()
                .configs()
                .filter(config -> !question.history().configs().contains(config));
        return left.limit(question.count()).toList();
    }

    /** How many asks were held so far. */
    int thinking() {
        return thinking.get();
    }

    /** Lets go of all that spin or are held. */
    void end() {
        over.countDown();
    }
}
