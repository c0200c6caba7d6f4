package dev.tilewright.space.family;

import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.text.ShortForm;
import dev.tilewright.space.text.Vocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A kernel family as the search sees it. */
public interface FamilySpace {

    /** The most kernels of one family that run in the final of another. */
    int MOST_RIVALS = 16;

    /** The most further families that a job may name for its finals. */
    int MOST_PEERS = 8;

    /** Name of the family, such as {@code sm90-gemm}. */
    String family();

    /** The name under which workers say that they can make its kernels. */
    default String maker() {
        return family();
    }

    /** Whether the models of GPUs know its kernels, so that their times can be predicted. */
    default boolean isModelled() {
        return true;
    }

    /** The message: kernels of this family can only be timed on a GPU. */
    static String noModel(String family) {
        return "no model of a GPU knows the kernels of " + family;
    }

    /**
     * Why a device that is a model takes none of its kernels.
     *
     * @param device its label
     */
    static String noModel(String family, String device) {
        return noModel(family) + ", and " + device + " is one";
    }

    /**
     * Whether its kernels are those of a library that is installed beside a GPU: the GPU's worker finds them, nobody
     * builds them, and they have no text.
     */
    default boolean isInstalled() {
        return false;
    }

    /** The message: the kernels of a library have no text. */
    static String noText(String family) {
        return "the kernels of " + family + " are those of an installed library, which has no text of them";
    }

    /** The only GPUs that run its kernels; empty if all do. An emulated GPU runs those of all families. */
    default Optional<Architecture> architecture() {
        return Optional.empty();
    }

    /**
     * Why this family cannot compute the problem at all, with the value and the rule, such as {@code "k = 100 times 2
     * bytes is 200: rows of A must be a multiple of 16 bytes for the tensor map"}; empty if it can.
     */
    Optional<String> refusal(Problem problem);

    /** The epilogue of its kernels for a problem. A bundle names its own. */
    default Epilogue epilogue(Problem problem) {
        return problem.epilogue();
    }

    /** Why the kernel of a config has no text, which it takes to slow it; empty if it has one. */
    default Optional<String> withoutText(Config config) {
        return Optional.empty();
    }

    /**
     * A config that is known to be good, beside which all trials of a study are timed so that they can be compared over
     * hours, devices and drivers: the same for the same problem and device. It need not be in what a user left of the
     * space. Empty if the family declares none.
     *
     * @param space the default space of the problem on the device
     */
    default Optional<Config> anchor(SpaceTree space) {
        return Optional.empty();
    }

    /**
     * The parameters that say how the output is cut, how a CTA shares the work on its part, and how many CTAs share
     * operands: they decide how a shape fits the waves of a GPU and what a kernel draws. Configs of one tile differ in
     * details.
     */
    List<String> tile();

    /**
     * The parameters in which configs of a tile differ by more than the model of a GPU can say. Of each of their values
     * some are worth a try.
     */
    default List<String> variants() {
        return List.of();
    }

    /**
     * The parameters that decide how often operands are fetched again, and nothing else of a launch: they cost energy,
     * and no cycles need to be lost by them. A screen is too short to judge them.
     */
    default List<String> walk() {
        return List.of();
    }

    /**
     * Configs that are worth a try before any other, the most promising first, each once: for a search without a model.
     * They need not be in the space. The same seed gives the same sequence.
     */
    default Stream<Config> promising(Problem problem, long seed) {
        return Stream.empty();
    }

    /** The words for its configs in short form; without them boards write the names of the parameters. */
    default Vocabulary vocabulary() {
        return new Vocabulary(Scheduler.word(), List.of());
    }

    /**
     * The config that a text means: its words and {@code name=value} pairs, with the defaults of the family for missing
     * parts. A part without a default stays missing, which is for the rules of the space to say.
     *
     * @param space of the problem; where it does not list a default, its first usual value is the default
     * @throws IllegalArgumentException naming a word that the family does not have, or two that give one parameter
     */
    default Config read(SearchSpace space, String text) {
        Vocabulary words = vocabulary();
        Config said = words.read(text);
        Config all = space.completed(said);
        for (Parameter parameter : space.parameters()) {
            Optional<ParameterValue> usual = words.usual(parameter.name());
            if (!said.has(parameter.name()) && parameter.values().size() > 1 && usual.isPresent()) {
                ParameterValue listed = parameter.values().contains(usual.get())
                        ? usual.get()
                        : parameter.usual().getFirst();
                all = all.with(parameter.name(), listed);
            }
        }
        return all;
    }

    /** The shortest text that {@link #read} reads as this config, in the space of its problem. */
    default String inShort(Config config) {
        return ShortForm.complete(vocabulary(), config);
    }

    /**
     * The tile that a cluster of a kernel computes at a time.
     *
     * @throws IllegalArgumentException if a parameter is missing or has a value for which no kernel can be built
     */
    Blocking blocking(Config config);

    /** The config of the same kernel whose grid fills a GPU, as far as the family lets a config ask for less. */
    default Config fillingTheGpu(Config config) {
        return config;
    }

    /**
     * The same config under every other tile scheduler of a space: what differs beside the scheduler is what rules tie
     * to it. A scheduler that the tile cannot be computed with has none.
     *
     * @param config one of the space
     */
    default List<Config> twins(SpaceTree space, Config config) {
        List<Config> twins = new ArrayList<>();
        for (SpaceTree part : space.parts(Scheduler.KEY.name())) {
            part.nearest(config)
                    .filter(twin -> !twin.equals(config))
                    .filter(twin -> tile().stream()
                            .filter(config::has)
                            .allMatch(name -> twin.value(name).equals(config.value(name))))
                    .ifPresent(twins::add);
        }
        return twins;
    }

    /** Families of others that compute the same, beside which a final is run; the worker finds their kernels. */
    default List<String> peers() {
        return List.of(VendorFamily.NAME);
    }

    /**
     * The configs that run where this family is a peer of another: the one that is known to be good.
     *
     * @param space the default space of the problem on the device
     */
    default Stream<Config> rivals(SpaceTree space) {
        return anchor(space).stream();
    }

    /** All configs worth thinking of for the problem on the device, with the rules between them. */
    SearchSpace space(Problem problem, DeviceLimits limits);

    /**
     * All kernels that can be asked for, with the same rules. It lists the values of {@link #space} and those that the
     * family tries for other shapes alone, so that a kernel that was found for one shape can be run with another. It is
     * not searched.
     */
    default SearchSpace kernels(Problem problem, DeviceLimits limits) {
        return space(problem, limits);
    }
}
