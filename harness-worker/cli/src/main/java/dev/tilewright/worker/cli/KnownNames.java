package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.DeviceSelector.OnCpu;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.parameter.Scheduler;
import java.util.stream.Stream;

/** Names that users may give. */
final class KnownNames {

    /** SMs of an H100 or an H200. */
    static final int USUAL_SMS = 132;

    /** The problem that is meant where none is named. */
    static final Problem USUAL = Problem.of(new ProblemShape(4096, 4096, 4096), DataType.BF16);

    /** The end of the help of an option that takes parameters. */
    static final String PARAMETERS = " Names and values are at the end.";

    private KnownNames() {}

    /** Kernel families. */
    static final class OfFamilies extends CompletionNames {
        OfFamilies() {
            super(() -> Families.standard().names().stream());
        }
    }

    /** Tile schedulers; a family has some of them. */
    static final class OfSchedulers extends CompletionNames {
        OfSchedulers() {
            super(() -> Stream.of(Scheduler.values()).map(Scheduler::toString));
        }
    }

    /** Parameters of a config; a family has some of them. */
    static final class OfParameters extends CompletionNames {
        OfParameters() {
            super(() -> Families.standard().all().stream()
                    .flatMap(family -> family.space(USUAL, DeviceLimits.of(USUAL_SMS)).parameters().stream())
                    .filter(parameter -> parameter.values().size() > 1)
                    .map(Parameter::name)
                    .distinct());
        }
    }

    /** Element types; a family takes some of them. */
    static final class OfTypes extends CompletionNames {
        OfTypes() {
            super(() -> Stream.of(DataType.values()).map(DataType::toString));
        }
    }

    /** Real GPUs; the first stands for each of several. */
    static final class OfGpus extends CompletionNames {
        OfGpus() {
            super(() -> DeviceSelector.NAMES.stream().filter(name -> !(DeviceSelector.parse(name) instanceof OnCpu)));
        }
    }

    /** The GPUs of which there are models. */
    static final class OfModels extends CompletionNames {
        OfModels() {
            super(() -> DeviceSelector.NAMES.stream()
                    .filter(name -> DeviceSelector.parse(name) instanceof DeviceSelector.Simulated));
        }
    }

    /** Search strategies. */
    static final class OfStrategies extends CompletionNames {
        OfStrategies() {
            super(() -> JobRequest.STRATEGIES.stream());
        }
    }
}
