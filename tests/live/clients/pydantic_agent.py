import os, asyncio, sys, json, importlib.metadata as im
print("pydantic-ai-slim", im.version("pydantic-ai-slim"))
from pydantic_ai import Agent
from pydantic_ai.models.function import FunctionModel, AgentInfo
from pydantic_ai.messages import ModelResponse, ToolCallPart, TextPart, ModelMessage
calls = json.loads(os.environ['CALLS'])
n = [0]
def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    i = n[0]; n[0] += 1
    if i < len(calls):
        return ModelResponse(parts=[ToolCallPart(calls[i][0], calls[i][1])])
    return ModelResponse(parts=[TextPart("Done.")])
async def main():
    try:
        from pydantic_ai.mcp import MCPServerStdio, MCPServerStreamableHTTP
        s = MCPServerStdio(sys.argv[2], args=sys.argv[3:]) if sys.argv[1]=="stdio" else MCPServerStreamableHTTP(sys.argv[2])
    except ImportError:
        from pydantic_ai.mcp import MCPToolset
        from fastmcp.client.transports import StdioTransport
        s = MCPToolset(StdioTransport(sys.argv[2], sys.argv[3:]) if sys.argv[1]=="stdio" else sys.argv[2])
    a = Agent(FunctionModel(model), toolsets=[s])
    async with a:
        r = await a.run("go"); print(r.output, n[0], "model calls")
asyncio.run(main())
