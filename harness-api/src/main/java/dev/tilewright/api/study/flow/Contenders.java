package dev.tilewright.api.study.flow;

import dev.tilewright.api.search.Prediction;
import dev.tilewright.api.study.SpaceTrees;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.ScreenScale;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.Tile;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.parameter.Scheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/**
 * Chooses the contenders of a final, in teams: of each of the fastest tiles the fastest kernels that really differ. A
 * screen is too short to show the power that a kernel draws, and power limits the steady state. So each screen counts
 * with the time that the cost model expects of it in the long run, where there is a model. A race with one contender of
 * each team shows which tile is best. A race within a team shows which order of tiles is best, and what L2 should keep.
 * It knows snapshots alone and reaches no repository.
 */
@Component
record Contenders(SpaceTrees trees) {

    /**
     * The fewest kernels that race, whatever their screens say: a screen is a quick look. Fewer race only where there
     * are fewer.
     */
    private static final int MIN_CONTENDERS = 8;

    /** The most tiles that race against each other: turns of more tiles take longer than they are worth. */
    private static final int TEAMS = 6;

    /** As many as race within a team at the most. */
    private static final int MEMBERS = 6;

    /** So much longer a screen than the best may take: clocks in steady state were seen to differ by as much. */
    private static final double NEAR = 0.07;

    /** How a screen went, as a time: the less the better. */
    private record Candidate(TrialRepository.Screened trial, double estimate) {

        Config config() {
            return trial.config();
        }

        Candidate longer(double factor) {
            return new Candidate(trial, factor * estimate);
        }
    }

    /**
     * Teams, the fastest first: of each of the fastest tiles that are near the best of all some kernels that are near
     * the tile's best; if these are too few, of others. Two configs with one text and one launch are the same kernel.
     */
    List<Work.Contender> of(StudySnapshot snapshot) {
        StudyRow study = snapshot.study();
        FamilySpace family = snapshot.family();
        List<Candidate> ranked = ranked(snapshot);
        SpaceTree tree = trees.tree(
                study.problem(),
                family,
                study.options().restriction(),
                study.bound().testbed().smCount());
        List<String> launchParameters = tree.space().names(Parameter.Kind.LAUNCH);
        Set<String> kernels = new HashSet<>();
        Stream<Candidate> distinct =
                ranked.stream().filter(candidate -> kernels.add(kernel(candidate.trial(), launchParameters)));
        if (study.options().comparesSchedulers()) {
            return ofEachScheduler(distinct, study.options().budget().finalists());
        }
        Map<Tile, List<Candidate>> tiles = distinct.collect(Collectors.groupingBy(
                candidate -> Tile.of(family.tile(), candidate.config()), LinkedHashMap::new, Collectors.toList()));
        int least = Math.max(MIN_CONTENDERS, study.options().budget().finalists());
        List<Work.Contender> contenders = new ArrayList<>();
        int teams = 0;
        for (List<Candidate> tile : tiles.values()) {
            boolean near = isNear(tile.getFirst(), ranked.getFirst());
            if (teams < TEAMS && near || contenders.size() < least) {
                int team = teams++;
                Stream.concat(members(family, tile), twins(tree, family, tile))
                        .distinct()
                        .map(candidate -> new Work.Contender(candidate.trial().id(), candidate.config(), team))
                        .forEach(contenders::add);
            }
        }
        return List.copyOf(contenders);
    }

    /** As many of each tile scheduler, the fastest first: so few that all reach the final, each beside all others. */
    private static List<Work.Contender> ofEachScheduler(Stream<Candidate> distinct, int finalists) {
        Collection<List<Candidate>> schedulers = distinct.collect(Collectors.groupingBy(
                        candidate -> candidate.config().value(Scheduler.KEY.name()),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values();
        int each = Math.max(1, finalists / Math.max(1, schedulers.size()));
        List<Work.Contender> contenders = new ArrayList<>();
        int team = 0;
        for (List<Candidate> scheduler : schedulers) {
            for (Candidate candidate : scheduler.subList(0, Math.min(each, scheduler.size()))) {
                contenders.add(new Work.Contender(candidate.trial().id(), candidate.config(), team));
            }
            team++;
        }
        return List.copyOf(contenders);
    }

    /**
     * Of each way to walk the tiles the fastest, then of each the next: of two kernels that differ in something else
     * alone a screen can say which is better.
     *
     * @param tile kernels of one tile, the fastest first
     */
    private static Stream<Candidate> members(FamilySpace family, List<Candidate> tile) {
        Collection<List<Candidate>> walks = tile.stream()
                .filter(candidate -> isNear(candidate, tile.getFirst()))
                .collect(Collectors.groupingBy(
                        candidate -> walk(family, candidate.config()), LinkedHashMap::new, Collectors.toList()))
                .values();
        return IntStream.range(0, tile.size())
                .boxed()
                .flatMap(rank ->
                        walks.stream().filter(walk -> rank < walk.size()).map(walk -> walk.get(rank)))
                .limit(MEMBERS);
    }

    /** The best kernel of a tile under the other tile schedulers: how far they are behind is what a user asks. */
    private static Stream<Candidate> twins(SpaceTree tree, FamilySpace family, List<Candidate> tile) {
        List<Config> twins = family.twins(tree, tile.getFirst().config());
        return tile.stream().filter(candidate -> twins.contains(candidate.config()));
    }

    private static boolean isNear(Candidate candidate, Candidate best) {
        return candidate.estimate() <= (1 + NEAR) * best.estimate();
    }

    private static Config walk(FamilySpace family, Config config) {
        return config.only(family.walk().stream().filter(config::has).toList());
    }

    private List<Candidate> ranked(StudySnapshot snapshot) {
        StudyRow study = snapshot.study();
        List<TrialRepository.Screened> screens = snapshot.screened();
        ScreenScale scale = ScreenScale.of(
                screens.stream().map(TrialRepository.Screened::screen).toList());
        List<Candidate> screened = screens.stream()
                .map(screen -> new Candidate(screen, scale.time(screen.screen())))
                .toList();
        return trees
                .knowledge(study.problem(), snapshot.family(), study.bound().testbed())
                .prediction()
                .map(prediction -> settled(prediction, screened))
                .orElse(screened)
                .stream()
                .sorted(Comparator.comparingDouble(Candidate::estimate)
                        .thenComparing(candidate -> candidate.trial().ordinal()))
                .toList();
    }

    /** Expected long-run times of the screens, if the model knows all of them. */
    private static List<Candidate> settled(Prediction prediction, List<Candidate> screened) {
        if (!screened.stream().allMatch(candidate -> prediction.knows(candidate.config()))) {
            return screened;
        }
        return screened.stream()
                .map(candidate -> candidate.longer(prediction.settling(candidate.config(), candidate.estimate())))
                .toList();
    }

    private static String kernel(TrialRepository.Screened trial, List<String> launchParameters) {
        if (trial.ptxHash() == null) {
            return trial.config().canonical();
        }
        return trial.ptxHash()
                + launchParameters.stream()
                        .map(name -> " " + name + "=" + trial.config().value(name))
                        .collect(Collectors.joining());
    }
}
