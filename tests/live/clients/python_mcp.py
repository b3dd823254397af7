import os, sys, json, asyncio, importlib.metadata as im
mode, target = sys.argv[1], sys.argv[2:]
print("mcp", im.version("mcp"))
calls = json.loads(os.environ['CALLS'])
async def go(session):
    r = await session.list_tools(); print(len(r.tools), "tools")
    for name, args in calls:
        a = await session.call_tool(name, args); print(name, getattr(a,'isError',getattr(a,'is_error',None)), a.content[0].text[:80])
async def main():
    if im.version("mcp").startswith("2"):
        from mcp.client import Client
        from mcp import StdioServerParameters
        t = target[0] if mode=='http' else StdioServerParameters(command=target[0], args=target[1:])
        async with Client(t) as c: await go(c)
    else:
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client
        from mcp.client.streamable_http import streamablehttp_client
        cm = streamablehttp_client(target[0]) if mode=='http' else stdio_client(StdioServerParameters(command=target[0], args=target[1:]))
        async with cm as s:
            async with ClientSession(s[0], s[1]) as c:
                await c.initialize(); await go(c)
asyncio.run(main())
