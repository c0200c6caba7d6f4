package dev.tilewright.api.platform.http;

import java.util.List;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.type.LogicalType;

/** JSON is taken at its word: what has another type than asked for, or is there twice, is a mistake. */
@Configuration(proxyBeanMethods = false)
class JsonConfiguration {

    @Bean
    JsonMapperBuilderCustomizer strictness() {
        return mapper -> mapper.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .withCoercionConfig(
                        LogicalType.Textual,
                        text -> List.of(
                                        CoercionInputShape.Boolean,
                                        CoercionInputShape.Integer,
                                        CoercionInputShape.Float)
                                .forEach(shape -> text.setCoercion(shape, CoercionAction.Fail)));
    }
}
