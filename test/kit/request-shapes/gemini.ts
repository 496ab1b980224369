/** What Gemini's generateContent accepts. https://ai.google.dev/api/generate-content */
import { fields, filledList, filledText, oneOf, onlyKeys, problemOf, refuse, text } from './shape-check.ts';
import { toolName, tools } from './shape-check.ts';
import type { Fields } from './shape-check.ts';

const topKeys = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings'];
const generationKeys = ['maxOutputTokens', 'temperature', 'topP', 'topK', 'stopSequences', 'thinkingConfig'];

export function checkGeminiRequest(body: unknown): string | undefined {
  return problemOf(() => {
    const request = fields(body, 'body');
    onlyKeys(request, topKeys, 'body');
    if (request.generationConfig !== undefined) {
      onlyKeys(fields(request.generationConfig, 'generationConfig'), generationKeys, 'generationConfig');
    }
    if (request.systemInstruction !== undefined) {
      const system = fields(request.systemInstruction, 'systemInstruction');
      for (const part of filledList(system.parts, 'systemInstruction.parts')) {
        filledText(fields(part, 'systemInstruction.parts').text, 'systemInstruction.parts.text');
      }
    }
    checkTools(request.tools);
    checkContents(filledList(request.contents, 'contents'));
  });
}

function checkTools(value: unknown): void {
  if (value === undefined) return;
  for (const [at, each] of filledList(value, 'tools').entries()) {
    const group = fields(each, `tools[${at}]`);
    onlyKeys(group, ['functionDeclarations'], `tools[${at}]`);
    tools(group.functionDeclarations, `tools[${at}].functionDeclarations`, (tool, where) => {
      onlyKeys(tool, ['name', 'description', 'parametersJsonSchema'], where);
      if (!/^[a-zA-Z_]/.test(String(tool.name))) refuse(`${where}.name: must start with a letter or an underscore`);
      return { name: tool.name, schema: tool.parametersJsonSchema };
    });
  }
}

function checkContents(contents: readonly unknown[]): void {
  let called: string[] = [];
  for (const [at, each] of contents.entries()) {
    const where = `contents[${at}]`;
    const content = fields(each, where);
    onlyKeys(content, ['role', 'parts'], where);
    const role = oneOf(content.role, ['user', 'model'], `${where}.role`);
    if (at === 0 && role !== 'user') refuse('Please ensure that the first content has the role "user".');
    const parts = filledList(content.parts, `${where}.parts`).map((part, index) => {
      const place = `${where}.parts[${index}]`;
      return checkPart(fields(part, place), place, role);
    });
    const answered = parts.flatMap((part) => (part.response === undefined ? [] : [part.response]));
    if (called.length > 0 || answered.length > 0) checkAnswers(called, answered, parts.length);
    called = parts.flatMap((part) => (part.call === undefined ? [] : [part.call]));
    if (at === contents.length - 1 && role !== 'user') {
      refuse('Please ensure that single turn requests end with a user role or the role field is empty.');
    }
  }
}

function checkAnswers(called: readonly string[], answered: readonly string[], partCount: number): void {
  if (called.length !== answered.length || partCount !== answered.length) {
    refuse(
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    );
  }
  for (const [at, name] of called.entries()) {
    if (answered[at] !== name) refuse(`the function response "${answered[at]}" does not belong to the call "${name}"`);
  }
}

const kinds = ['text', 'inlineData', 'functionCall', 'functionResponse'];

function checkPart(part: Fields, where: string, role: string): { call?: string; response?: string } {
  onlyKeys(part, [...kinds, 'thought', 'thoughtSignature'], where);
  const given = kinds.filter((kind) => part[kind] !== undefined);
  if (given.length !== 1) refuse(`${where}.data: required oneof field 'data' must have one initialized field`);
  if (part.thoughtSignature !== undefined) {
    filledText(part.thoughtSignature, `${where}.thoughtSignature`);
    if (role !== 'model') refuse(`${where}.thoughtSignature: only in what the model said`);
  }
  if (part.text !== undefined) {
    text(part.text, `${where}.text`);
  } else if (part.inlineData !== undefined) {
    const data = fields(part.inlineData, `${where}.inlineData`);
    oneOf(data.mimeType, ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'], `${where}.mimeType`);
    filledText(data.data, `${where}.inlineData.data`);
  } else if (part.functionCall !== undefined) {
    if (role !== 'model') refuse(`${where}: a function call must come from the model`);
    const call = fields(part.functionCall, `${where}.functionCall`);
    onlyKeys(call, ['id', 'name', 'args'], `${where}.functionCall`);
    fields(call.args, `${where}.functionCall.args`);
    return { call: toolName(call.name, `${where}.functionCall.name`) };
  } else {
    if (role !== 'user') refuse(`${where}: a function response must come from the user`);
    const response = fields(part.functionResponse, `${where}.functionResponse`);
    onlyKeys(response, ['id', 'name', 'response'], `${where}.functionResponse`);
    fields(response.response, `${where}.functionResponse.response`);
    return { response: toolName(response.name, `${where}.functionResponse.name`) };
  }
  return {};
}
