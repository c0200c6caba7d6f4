package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Work for one GPU that is no part of a study. It is asked for once, and answered once by a {@link GpuTaskResult}. The
 * queue, the lease, the build of its kernels and the way to the runner are the same for every kind.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({@JsonSubTypes.Type(value = GpuTask.Compare.class, name = "compare")})
public sealed interface GpuTask {

    Problem problem();

    /** The family of the kernels that the worker builds. */
    String family();

    /** Of the input data. */
    long seed();

    /** The configs whose kernels the worker builds, in the order in which the runner gets the kernels. */
    @JsonIgnore
    List<Config> configs();

    /**
     * Time two kernels beside each other. Answer: {@link GpuTaskResult.Compared}.
     *
     * @param measureEqual whether two kernels with the same module and launch are timed all the same
     */
    record Compare(Problem problem, String family, Side first, Side second, boolean measureEqual, long seed)
            implements GpuTask {

        @Override
        public List<Config> configs() {
            return Stream.of(first, second)
                    .flatMap(side -> side instanceof Side.Own(Config config) ? Stream.of(config) : Stream.empty())
                    .toList();
        }
    }

    /** One of two kernels. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Side.Own.class, name = "own"),
        @JsonSubTypes.Type(value = Side.OfPeer.class, name = "peer")
    })
    sealed interface Side {

        /** The kernel of a config. */
        record Own(Config config) implements Side {}

        /**
         * A kernel that the worker finds at run time.
         *
         * @param family such as {@code cublaslt}
         * @param algorithm which of its kernels; {@code null} for the one that it would choose by itself
         */
        record OfPeer(String family, @Nullable String algorithm) implements Side {}
    }
}
